import Core

/// The words of a command, sorted by what its spec says they are.
///
/// Everything a spec can demand already holds: required operands are there, values are among the choices, no option is
/// given too often. Options go by their long names, operands by their placeholders; asking for one that the spec does
/// not have is a defect of the command and traps.
package struct ParsedArguments: Sendable {
    package let spec: CommandSpec
    /// The exact words that follow the last operand of a command that runs another.
    package let commandWords: [ByteString]
    /// Whether `--` stood right before these words.
    package let hasSeparator: Bool
    private let given: GivenOptions
    private let operandWords: [String: [String]]

    init(
        spec: CommandSpec,
        given: GivenOptions,
        operandWords: [String: [String]],
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

    /// Whether the option was given, be it a flag or one with a value.
    package func flag(_ long: String) -> Bool {
        given.count(of: known(option: long)) > 0
    }

    /// The value of an option, the last one of several.
    package func value(_ long: String) -> String? {
        values(long).last
    }

    /// The values of an option in the order given.
    package func values(_ long: String) -> [String] {
        given.values(of: known(option: long))
    }

    /// Reads the value of an option; what `parse` throws then names the option.
    package func value<Value>(
        _ long: String,
        parse: (String) throws(VTError) -> Value
    ) throws(VTError) -> Value? {
        try values(long, parse: parse).last
    }

    /// Reads all values of an option; what `parse` throws then names the option.
    package func values<Value>(
        _ long: String,
        parse: (String) throws(VTError) -> Value
    ) throws(VTError) -> [Value] {
        var result: [Value] = []
        for text in values(long) {
            do throws(VTError) {
                result.append(try parse(text))
            } catch {
                var error = error
                error.message = "--\(long): \(error.message)"
                throw explained(error)
            }
        }
        return result
    }

    /// The value of an option whose choices are the raw values of `Choice`.
    package func choice<Choice: RawRepresentable<String>>(_ long: String, of type: Choice.Type) -> Choice? {
        value(long).flatMap(Choice.init(rawValue:))
    }

    // MARK: - Operands

    /// The word of an operand that takes one.
    ///
    /// - Parameter placeholder: The operand's name in the spec.
    /// - Returns: The word.
    /// - Throws: `usage` when it is not there: an optional one, or one that an option takes the place of.
    package func operand(_ placeholder: String) throws(VTError) -> String {
        guard let word = operands(placeholder).first else { throw missing(placeholder) }
        return word
    }

    /// The word of an operand that takes one at most.
    package func optionalOperand(_ placeholder: String) -> String? {
        operands(placeholder).first
    }

    /// The words of an operand in the order given.
    package func operands(_ placeholder: String) -> [String] {
        precondition(
            spec.operands.contains { $0.placeholder == placeholder },
            "'\(spec.name)' has no operand \(placeholder)"
        )
        return operandWords[placeholder] ?? []
    }

    /// Reads the word of an operand that takes one; what `parse` throws gets a hint where it has none.
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

    /// The error for an operand that the command needs and the line lacks.
    package func missing(_ placeholder: String) -> VTError {
        VTError(.usage, "missing argument: \(placeholder)", hint: "see 'vt help \(spec.name)'")
    }

    // MARK: -

    private func explained(_ error: VTError) -> VTError {
        guard error.hint == nil else { return error }
        var error = error
        error.hint = "see 'vt help \(spec.name)'"
        return error
    }

    private func known(option long: String) -> String {
        precondition(spec.options.contains { $0.long == long }, "'\(spec.name)' has no option --\(long)")
        return long
    }
}
