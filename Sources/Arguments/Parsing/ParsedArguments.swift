import Core

/// The words of a command line, assigned to the options and operands of the command's spec.
///
/// They satisfy the spec: required operands are present, values are among the choices, and only repeatable options are
/// repeated. Operands are identified by placeholder; requesting one that is not in the spec is a programming error and
/// traps.
package struct ParsedArguments: Sendable {
    package let spec: CommandSpec
    /// The exact words of the command to run; empty if there is none.
    package let commandWords: [ByteString]
    /// Whether `--` immediately preceded `commandWords`.
    package let hasSeparator: Bool
    private let given: GivenOptions
    private let operandWords: [OperandWords]

    typealias OperandWords = (placeholder: String, words: [ByteString])

    init(
        spec: CommandSpec,
        given: GivenOptions,
        operandWords: [OperandWords],
        commandWords: [ByteString],
        hasSeparator: Bool
    ) {
        self.spec = spec
        self.given = given
        self.operandWords = operandWords
        self.commandWords = commandWords
        self.hasSeparator = hasSeparator
    }

    // MARK: - Options

    /// The value of an option.
    ///
    /// - Throws: `usage` if the value is invalid; the message names the option.
    package subscript<Value>(option: Option<Value>) -> Value {
        get throws(VTError) {
            assertKnown(option)
            do throws(VTError) {
                return try option.read(given.occurrences(of: option.long))
            } catch {
                var error = error
                error.message = "--\(option.long): \(error.message)"
                throw explained(error)
            }
        }
    }

    /// Whether the flag was given.
    package subscript(flag: Option<Bool>) -> Bool { contains(flag) }

    /// Whether the command has the option.
    package func accepts(_ option: any CommandOption) -> Bool {
        spec.options.contains { $0.long == option.long }
    }

    /// Whether the option was given, with or without a value.
    package func contains(_ option: any CommandOption) -> Bool {
        assertKnown(option)
        return given.contains(option.long)
    }

    /// Every occurrence of an option of the command or of vt, in the order given.
    package var occurrences: [OptionOccurrence] { given.occurrences }

    // MARK: - Operands

    /// The word of an operand that takes one word.
    ///
    /// - Parameter placeholder: The operand's name in the spec.
    /// - Returns: The word.
    /// - Throws: `usage` if the word is missing, which can occur if the operand is optional or an option replaces it.
    package func operand(_ placeholder: String) throws(VTError) -> String {
        guard let word = operands(placeholder).first else { throw missing(placeholder) }
        return word
    }

    /// The words of an operand, in order.
    package func operands(_ placeholder: String) -> [String] {
        byteOperands(placeholder).map(\.repairedText)
    }

    /// The words of an operand, in order, which may be invalid UTF-8 if the operand takes bytes.
    package func byteOperands(_ placeholder: String) -> [ByteString] {
        precondition(
            spec.operands.contains { $0.placeholder == placeholder },
            "'\(spec.name)' has no operand \(placeholder)"
        )
        return operandWords.first { $0.placeholder == placeholder }?.words ?? []
    }

    /// Parses the word of an operand that takes one word; adds a hint to errors thrown by `parse` that have none.
    package func operand<Value>(
        _ placeholder: String,
        parse: (String) throws(VTError) -> Value
    ) throws(VTError) -> Value {
        let word = try operand(placeholder)
        do throws(VTError) {
            return try parse(word)
        } catch {
            throw explained(error)
        }
    }

    /// The error for a missing operand.
    package func missing(_ placeholder: String) -> VTError {
        VTError(.usage, "missing argument: \(placeholder)", hint: "see 'vt help \(spec.name)'")
    }

    // MARK: -

    private func assertKnown(_ option: any CommandOption) {
        assert(accepts(option), "'\(spec.name)' has no option --\(option.long)")
    }

    private func explained(_ error: VTError) -> VTError {
        guard error.hint == nil else { return error }
        var error = error
        error.hint = "see 'vt help \(spec.name)'"
        return error
    }
}
