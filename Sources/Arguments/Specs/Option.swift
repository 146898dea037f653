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

    /// Returns the same option, listed under a heading of its own.
    func under(_ heading: String) -> Self
}

extension CommandOption {
    /// The long name without its dashes.
    package var long: String { spec.long }
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
        spec = OptionSpec(
            long: long,
            short: short,
            value: value,
            excluded: excludes,
            makeSummary: summary,
            makeDetails: details
        )
        read = { occurrences throws(VTError) in try occurrences.last?.value.map(kind.parse) }
    }

    /// Returns the same option, with a short form.
    package func short(_ letter: Character) -> Self {
        var spec = spec
        spec.short = letter
        return Option(spec: spec, read: read)
    }

    package func under(_ heading: String) -> Self {
        var spec = spec
        spec.heading = heading
        return Option(spec: spec, read: read)
    }

    /// The same option, which can be given more than once.
    package func repeatable<Element>() -> Option<[Element]> where Value == Element? {
        var spec = spec
        spec.isRepeatable = true
        return Option<[Element]>(spec: spec) { occurrences throws(VTError) in
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
        return Option(spec: spec) { !$0.isEmpty }
    }

    /// The same flag, which can be given more than once.
    package func repeatable() -> Self {
        var spec = spec
        spec.isRepeatable = true
        return Option(spec: spec, read: read)
    }
}
