import Core

/// The options parsed from a command line, by long name.
struct GivenOptions: Sendable {
    private struct Entry {
        let long: String
        var count = 0
        var values: [String] = []
    }

    /// An array: there are few options, and a dictionary costs more at startup.
    private var entries: [Entry] = []

    /// Every occurrence of an option, in the order given.
    private(set) var occurrences: [OptionOccurrence] = []

    var isEmpty: Bool { entries.isEmpty }

    func count(of long: String) -> Int {
        entry(long)?.count ?? 0
    }

    func values(of long: String) -> [String] {
        entry(long)?.values ?? []
    }

    private func entry(_ long: String) -> Entry? {
        entries.first { $0.long == long }
    }

    /// Adds one occurrence of an option after a number of operands; `value` is nil for a flag.
    mutating func add(
        _ option: OptionSpec,
        value: String?,
        after operandCount: Int,
        hint: () -> String
    ) throws(VTError) {
        if count(of: option.long) > 0, !option.isRepeatable {
            throw VTError(.usage, "option '--\(option.long)' given more than once", hint: hint())
        }
        let index = entries.firstIndex { $0.long == option.long } ?? entries.endIndex
        if index == entries.endIndex { entries.append(Entry(long: option.long)) }
        entries[index].count += 1
        occurrences.append(OptionOccurrence(long: option.long, value: value, operandsBefore: operandCount))
        guard let value, let spec = option.value else { return }
        guard spec.choices.isEmpty || spec.choices.contains(value) else {
            let nearest = Suggestion.nearest(to: value, among: spec.choices)
            throw VTError(
                .usage,
                "invalid value '\(value)' for '--\(option.long)'",
                hint: nearest.map { "did you mean '\($0)'?" } ?? "use one of \(spec.choices.joined(separator: ", "))"
            )
        }
        entries[index].values.append(value)
    }

    /// Rejects options that exclude each other.
    func checkExclusions(among options: [OptionSpec], hint: () -> String) throws(VTError) {
        for option in options where count(of: option.long) > 0 {
            for other in option.excludes where count(of: other) > 0 {
                let message = "options '--\(option.long)' and '--\(other)' cannot be used together"
                throw VTError(.usage, message, hint: hint())
            }
        }
    }

    /// The values of the global options.
    var globalOptions: GlobalOptions {
        GlobalOptions(
            json: count(of: "json") > 0,
            quiet: count(of: "quiet") > 0,
            verbosity: count(of: "verbose"),
            color: values(of: "color").last.flatMap(GlobalOptions.ColorChoice.init(rawValue:)) ?? .auto
        )
    }
}
