import Core

/// The options parsed from a command line.
struct GivenOptions: Sendable {
    /// Every occurrence of an option, in the order given.
    private(set) var occurrences: [OptionOccurrence] = []

    func contains(_ long: String) -> Bool {
        occurrences.contains { $0.long == long }
    }

    func occurrences(of long: String) -> [OptionOccurrence] {
        occurrences.filter { $0.long == long }
    }

    /// Adds one occurrence of an option after a number of operands; `value` is nil for a flag.
    mutating func add(
        _ option: OptionSpec,
        value: String?,
        after operandCount: Int,
        hint: () -> String
    ) throws(VTError) {
        if !option.isRepeatable, contains(option.long) {
            throw VTError(.usage, "option '--\(option.long)' given more than once", hint: hint())
        }
        occurrences.append(OptionOccurrence(long: option.long, value: value, operandsBefore: operandCount))
        if let value, let choices = option.value?.choices {
            try Self.check(value, isAmong: choices, for: "'--\(option.long)'")
        }
    }

    /// Checks the value of an option or operand; if there are no choices, every value is allowed.
    static func check(_ value: String, isAmong choices: [String], for name: String) throws(VTError) {
        guard !choices.isEmpty, !choices.contains(value) else { return }
        let nearest = Suggestion.nearest(to: value, among: choices)
        throw VTError(
            .usage,
            "invalid value '\(value)' for \(name)",
            hint: nearest.map { "did you mean '\($0)'?" } ?? "use one of \(choices.joined(separator: ", "))"
        )
    }

    /// Rejects options that exclude each other.
    func checkExclusions(among options: [OptionSpec], hint: () -> String) throws(VTError) {
        for option in options where contains(option.long) {
            for other in option.excludes where contains(other) {
                let message = "options '--\(option.long)' and '--\(other)' cannot be used together"
                throw VTError(.usage, message, hint: hint())
            }
        }
    }

    /// The values of the global options.
    var globalOptions: GlobalOptions {
        var options = GlobalOptions()
        guard !occurrences.isEmpty else { return options }
        options.json = contains(GlobalOptions.json.long)
        options.quiet = contains(GlobalOptions.quiet.long)
        options.verbosity = occurrences(of: GlobalOptions.verbose.long).count
        let color = occurrences(of: GlobalOptions.color.long).last?.value
        options.color = color.flatMap(GlobalOptions.ColorChoice.init) ?? .auto
        return options
    }
}
