import Core

/// A kind of value of an option: its description, and how a word is converted to it.
package struct ValueKind<Value>: Sendable {
    let spec: ValueSpec
    /// Throws `usage` if the word is invalid.
    package let parse: @Sendable (String) throws(VTError) -> Value

    package init(
        _ placeholder: String,
        choices: [String] = [],
        suggestions: @autoclosure @escaping @Sendable () -> [String] = [],
        isList: Bool = false,
        completion: CompletionKind = .none,
        parse: @escaping @Sendable (String) throws(VTError) -> Value
    ) {
        spec = ValueSpec(
            placeholder: placeholder,
            choices: choices,
            makeSuggestions: suggestions,
            isList: isList,
            completion: completion
        )
        self.parse = parse
    }
}

extension ValueKind<String> {
    package static func text(
        _ placeholder: String,
        choices: [String] = [],
        completion: CompletionKind = .none
    ) -> Self {
        ValueKind(placeholder, choices: choices, completion: completion) { $0 }
    }

    /// The path of a file.
    package static var file: Self { text("FILE", completion: .file) }

    /// The name of a user on a server.
    package static var user: Self { ValueKind("USER", parse: Destination.user) }

    package static var tag: Self { ValueKind("TAG", completion: .tag, parse: Tag.parse) }
}

extension ValueKind where Value: RawRepresentable<String> & Sendable {
    /// One of the choices, written as its raw value.
    package static func choice(_ placeholder: String, _ choices: [Value]) -> Self {
        ValueKind(placeholder, choices: choices.map(\.rawValue)) { text throws(VTError) in
            guard let choice = Value(rawValue: text) else { throw VTError(.usage, "invalid value '\(text)'") }
            return choice
        }
    }
}

extension ValueKind<Duration> {
    /// A duration such as `250ms` or `5m`.
    package static var duration: Self { ValueKind("DURATION", parse: Duration.init(parsing:)) }

    package static func duration(atLeast minimum: Duration) -> Self {
        ValueKind("DURATION") { text throws(VTError) in
            let duration = try Duration(parsing: text)
            guard duration >= minimum else {
                throw VTError(.usage, "'\(text)' is shorter than \(minimum.shortText)")
            }
            return duration
        }
    }
}

extension ValueKind<Int> {
    /// A whole number.
    package static func number(_ placeholder: String = "N", in range: ClosedRange<Int>) -> Self {
        ValueKind(placeholder) { text throws(VTError) in
            guard let number: Int = NumberText.whole(text), range.contains(number) else {
                throw VTError(.usage, "'\(text)' is not a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }
}

extension ValueKind<Double> {
    /// A number that may have a fractional part.
    package static func factor(in range: ClosedRange<Double>) -> Self {
        ValueKind("FACTOR") { text throws(VTError) in
            guard let factor = NumberText.decimal(text), range.contains(factor) else {
                let (minimum, maximum) = (shown(range.lowerBound), shown(range.upperBound))
                throw VTError(.usage, "'\(text)' is not a number from \(minimum) to \(maximum)")
            }
            return factor
        }
    }

    /// Returns a bound as text; whole numbers are shown without a fractional part.
    private static func shown(_ bound: Double) -> String {
        Int(exactly: bound).map { "\($0)" } ?? "\(bound)"
    }
}

extension ValueKind<Int64> {
    /// A number of bytes such as `65536` or `64K`.
    package static var byteCount: Self { ValueKind("SIZE", parse: bytes) }

    /// Parses a number of bytes, or a number with `K`, `M` or `G` for powers of 1024: `65536`, `64K`, `16M`, `2G`.
    ///
    /// - Throws: `usage` when the text does not have this form, or the number exceeds `Int64`.
    private static func bytes(_ text: String) throws(VTError) -> Int64 {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let shift: Int? =
            switch text.dropFirst(digits.count) {
            case "": 0
            case "K": 10
            case "M": 20
            case "G": 30
            default: nil
            }
        guard let shift, let number = Int64(digits), number <= Int64.max >> Int64(shift) else {
            throw VTError(
                .usage,
                "invalid size '\(text)'",
                hint: "use a number of bytes, or a number with K, M or G: 64K, 16M, 2G"
            )
        }
        return number << Int64(shift)
    }
}

extension ValueKind<UInt64> {
    /// A position in the output of a session, in bytes.
    package static var offset: Self {
        ValueKind("OFFSET") { text throws(VTError) in
            guard let offset: UInt64 = NumberText.whole(text) else {
                throw VTError(.usage, "invalid offset '\(text)'", hint: "use a number of bytes, such as 0")
            }
            return offset
        }
    }
}

extension ValueKind<UInt16> {
    package static var port: Self { ValueKind("PORT", parse: Destination.port) }
}

extension ValueKind<TerminalSize> {
    /// The size of a terminal, such as `80x24`.
    package static var terminalSize: Self { ValueKind("COLSxROWS", parse: TerminalSize.init(parsing:)) }
}

extension ValueKind<EnvironmentVariable> {
    package static var variable: Self { ValueKind("NAME=VALUE", parse: EnvironmentVariable.init) }
}
