import Core

/// An option of a command, with the type of its value.
///
/// `Value` is `Bool` for a flag, an optional for an option with a value, and an array for an option with a value that
/// can be given more than once.
package struct Option<Value>: CommandOption {
    package let spec: OptionSpec
    /// Converts the occurrences of the option on a command line.
    let read: @Sendable ([OptionOccurrence]) throws(VTError) -> Value
}

/// An option with any type of value.
package protocol CommandOption: Sendable {
    var spec: OptionSpec { get }
}

extension CommandOption {
    /// The long name without its dashes.
    package var long: String { spec.long }
}

extension Option where Value == Bool {
    package static func flag(
        _ long: String,
        short: Character? = nil,
        isRepeatable: Bool = false,
        excludes: @autoclosure @escaping OptionSpec.Exclusions = [],
        summary: String,
        details: String? = nil
    ) -> Self {
        let spec = OptionSpec(
            long: long,
            short: short,
            isRepeatable: isRepeatable,
            excluded: excludes,
            summary: summary,
            details: details
        )
        return Option(spec: spec) { !$0.isEmpty }
    }
}

extension Option {
    /// An option whose value is converted by `parse`, which throws `usage` for an invalid value.
    package init<Element>(
        _ long: String,
        _ placeholder: String,
        short: Character? = nil,
        choices: [String] = [],
        completion: CompletionKind = .none,
        default defaultText: String? = nil,
        excludes: @autoclosure @escaping OptionSpec.Exclusions = [],
        parse: @escaping @Sendable (String) throws(VTError) -> Element,
        summary: String,
        details: String? = nil
    ) where Value == Element? {
        spec = OptionSpec(
            long: long,
            short: short,
            value: ValueSpec(
                placeholder: placeholder,
                choices: choices,
                completion: completion,
                defaultText: defaultText
            ),
            excluded: excludes,
            summary: summary,
            details: details
        )
        read = { occurrences throws(VTError) in try occurrences.last?.value.map(parse) }
    }

    /// An option whose value is text.
    package init(
        _ long: String,
        _ placeholder: String,
        short: Character? = nil,
        choices: [String] = [],
        completion: CompletionKind = .none,
        default defaultText: String? = nil,
        excludes: @autoclosure @escaping OptionSpec.Exclusions = [],
        summary: String,
        details: String? = nil
    ) where Value == String? {
        self.init(
            long,
            placeholder,
            short: short,
            choices: choices,
            completion: completion,
            default: defaultText,
            excludes: excludes(),
            parse: { $0 },
            summary: summary,
            details: details
        )
    }

    /// An option whose value is the name of a choice.
    package init<Choice: RawRepresentable<String> & Sendable>(
        _ long: String,
        _ placeholder: String,
        choices: [Choice],
        default standard: Choice? = nil,
        excludes: @autoclosure @escaping OptionSpec.Exclusions = [],
        summary: String,
        details: String? = nil
    ) where Value == Choice? {
        let text = Option<String?>(
            long,
            placeholder,
            choices: choices.map(\.rawValue),
            default: standard?.rawValue,
            excludes: excludes(),
            summary: summary,
            details: details
        )
        spec = text.spec
        read = { occurrences throws(VTError) in try text.read(occurrences).flatMap(Choice.init) }
    }

    /// The option, which can be given more than once.
    package func repeatable<Element>() -> Option<[Element]> where Value == Element? {
        var spec = spec
        spec.isRepeatable = true
        return Option<[Element]>(spec: spec) { occurrences throws(VTError) in
            try occurrences.map { occurrence throws(VTError) in try read([occurrence]) }.compactMap(\.self)
        }
    }
}
