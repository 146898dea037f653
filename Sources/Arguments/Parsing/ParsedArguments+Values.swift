import Core

/// Typed values of options and operands; the error for a malformed option value names the option.
extension ParsedArguments {
    /// A duration such as `250ms` or `5m`.
    ///
    /// - Throws: `usage` if the value is malformed or shorter than `minimum`.
    package func duration(_ long: String, atLeast minimum: Duration = .zero) throws(VTError) -> Duration? {
        try value(long) { text throws(VTError) in
            let duration = try Duration(parsing: text)
            guard duration >= minimum else {
                throw VTError(.usage, "'\(text)' is shorter than \(minimum.shortText)")
            }
            return duration
        }
    }

    /// A number of bytes such as `65536` or `64K`.
    package func size(_ long: String) throws(VTError) -> Int64? {
        try value(long) { text throws(VTError) in try ByteCountText.parse(text) }
    }

    /// A whole number.
    ///
    /// - Throws: `usage` if the value is malformed or out of range.
    package func number(_ long: String, in range: ClosedRange<Int>) throws(VTError) -> Int? {
        try value(long) { text throws(VTError) in
            guard let number: Int = NumberText.whole(text), range.contains(number) else {
                throw Self.outOfRange(text, "\(range.lowerBound)", "\(range.upperBound)")
            }
            return number
        }
    }

    /// A number that may have a fractional part.
    ///
    /// - Throws: `usage` if the value is malformed or out of range.
    package func factor(_ long: String, in range: ClosedRange<Double>) throws(VTError) -> Double? {
        try value(long) { text throws(VTError) in try Self.factor(text, in: range) }
    }

    /// The word of an operand as a number that may have a fractional part.
    ///
    /// - Throws: `usage` if the value is malformed or out of range.
    package func factor(operand placeholder: String, in range: ClosedRange<Double>) throws(VTError) -> Double {
        try operand(placeholder) { text throws(VTError) in try Self.factor(text, in: range) }
    }

    /// A position in the output of a session, in bytes.
    package func offset(_ long: String) throws(VTError) -> UInt64? {
        try value(long) { text throws(VTError) in
            guard let offset: UInt64 = NumberText.whole(text) else {
                throw VTError(.usage, "invalid offset '\(text)'", hint: "use a number of bytes, such as 0")
            }
            return offset
        }
    }

    package func port(_ long: String) throws(VTError) -> UInt16? {
        try value(long) { text throws(VTError) in try Destination.port(text) }
    }

    /// The name of a user on a server.
    package func user(_ long: String) throws(VTError) -> String? {
        try value(long) { text throws(VTError) in try Destination.user(text) }
    }

    package func tags(_ long: String) throws(VTError) -> [String] {
        try values(long) { text throws(VTError) in try Tag.parse(text) }
    }

    /// The size of a terminal, such as `80x24`.
    package func terminalSize(_ long: String) throws(VTError) -> TerminalSize? {
        try value(long) { text throws(VTError) in try TerminalSize(parsing: text) }
    }

    /// Environment variables, each as `NAME=VALUE`.
    package func variables(_ long: String) throws(VTError) -> [EnvironmentVariable] {
        try values(long) { text throws(VTError) in try EnvironmentVariable(text) }
    }

    /// Names of environment variables.
    package func variablePatterns(_ long: String) throws(VTError) -> [String] {
        try values(long) { text throws(VTError) in
            guard EnvironmentVariable.isName(String(text.map { $0 == "*" || $0 == "?" ? "_" : $0 })) else {
                throw VTError(.usage, "invalid variable name '\(text)'")
            }
            return text
        }
    }

    // MARK: -

    private static func factor(_ text: String, in range: ClosedRange<Double>) throws(VTError) -> Double {
        guard let factor = NumberText.decimal(text), range.contains(factor) else {
            throw outOfRange(text, shown(range.lowerBound), shown(range.upperBound))
        }
        return factor
    }

    /// Returns a bound as text; whole numbers are shown without a fractional part.
    private static func shown(_ bound: Double) -> String {
        Int(exactly: bound).map { "\($0)" } ?? "\(bound)"
    }

    private static func outOfRange(_ text: String, _ minimum: String, _ maximum: String) -> VTError {
        VTError(.usage, "'\(text)' is not a number from \(minimum) to \(maximum)")
    }
}
