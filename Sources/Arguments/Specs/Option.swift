import Core

/// An option of a command, with the type of its value.
///
/// `Value` is `Bool` for a flag, an optional for an option with a value, and an array for an option with a value that
/// can be given more than once.
package struct Option<Value: Sendable>: CommandOption {
    package private(set) var spec: OptionSpec
    /// The value if the option is not given.
    let absent: Value
    private let read: @Sendable ([OptionOccurrence]) throws(VTError) -> Value

    private init(
        _ spec: OptionSpec,
        absent: Value,
        _ read: @escaping @Sendable ([OptionOccurrence]) throws(VTError) -> Value
    ) {
        (self.spec, self.absent, self.read) = (spec, absent, read)
        self.spec.convert = { occurrences throws(VTError) in try read(occurrences) }
    }
}

/// An option with any type of value.
package protocol CommandOption: Sendable {
    var spec: OptionSpec { get }

    /// Returns the same option, listed under a heading of its own, and explained by a topic if one is given.
    func under(_ heading: String, topic: String?) -> Self
}

extension CommandOption {
    /// The long name without its dashes.
    package var long: String { spec.long }
}

extension [any CommandOption] {
    /// Returns options under a heading.
    package static func under(_ heading: String, topic: String? = nil, _ options: Self) -> Self {
        options.map { $0.under(heading, topic: topic) }
    }
}

extension Option {
    package init<Element>(
        _ long: String,
        short: Character? = nil,
        _ kind: ValueKind<Element>,
        default defaultText: String? = nil,
        excludes: @autoclosure @escaping OptionSpec.Exclusions = [],
        summary: @autoclosure @escaping @Sendable () -> String,
        details: @autoclosure @escaping @Sendable () -> String? = nil
    ) where Value == Element? {
        var value = kind.spec
        value.defaultText = defaultText
        let spec = OptionSpec(
            long: long,
            short: short,
            value: value,
            excluded: excludes,
            makeSummary: summary,
            makeDetails: details
        )
        self.init(spec, absent: nil) { occurrences throws(VTError) in try occurrences.last?.value.map(kind.parse) }
    }

    /// Returns the same option, with a short form.
    package func short(_ letter: Character) -> Self {
        var option = self
        option.spec.short = letter
        return option
    }

    /// Returns the same option, which is also accepted under an earlier name.
    package func formerly(_ name: String) -> Self {
        var option = self
        option.spec.formerName = name
        return option
    }

    package func under(_ heading: String, topic: String? = nil) -> Self {
        var option = self
        (option.spec.heading, option.spec.topic) = (heading, topic)
        return option
    }

    /// The same option, which can be given more than once.
    package func repeatable<Element>() -> Option<[Element]> where Value == Element? {
        var spec = spec
        spec.isRepeatable = true
        return Option<[Element]>(spec, absent: []) { [read] occurrences throws(VTError) in
            try occurrences.map { occurrence throws(VTError) in try read([occurrence]) }.compactMap(\.self)
        }
    }
}

extension Option<Bool> {
    package static func flag(
        _ long: String,
        short: Character? = nil,
        excludes: @autoclosure @escaping OptionSpec.Exclusions = [],
        summary: @autoclosure @escaping @Sendable () -> String,
        details: @autoclosure @escaping @Sendable () -> String? = nil
    ) -> Self {
        let spec = OptionSpec(
            long: long,
            short: short,
            excluded: excludes,
            makeSummary: summary,
            makeDetails: details
        )
        return Option(spec, absent: false) { !$0.isEmpty }
    }

    /// The same flag, which can be given more than once.
    package func repeatable() -> Self {
        var option = self
        option.spec.isRepeatable = true
        return option
    }
}
