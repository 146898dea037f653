import Core

/// A command line: the values of the options and operands of the command's spec.
///
/// They satisfy the spec: required operands are present, values are valid, and only repeatable options are repeated.
/// Requesting an option or operand that is not in the spec is a programming error, which traps in debug builds.
package struct Call: Sendable {
    package let spec: CommandSpec
    /// The exact words of the command to run; empty if there is none.
    package let commandWords: [ByteString]
    /// Whether `--` immediately preceded `commandWords`.
    package let hasSeparator: Bool
    private let given: GivenOptions
    /// The values of the options that were given, by long name.
    private let options: [String: any Sendable]
    /// The values of the operands, by placeholder.
    private let operands: [String: any Sendable]

    /// Converts the values.
    ///
    /// - Throws: `usage` if a value is invalid; the message names the option.
    init(
        spec: CommandSpec,
        given: GivenOptions,
        operandWords: [String: [ByteString]],
        commandWords: [ByteString],
        hasSeparator: Bool
    ) throws(VTError) {
        (self.spec, self.given) = (spec, given)
        (self.commandWords, self.hasSeparator) = (commandWords, hasSeparator)
        var options: [String: any Sendable] = [:]
        for option in spec.options where given.contains(option.long) {
            do throws(VTError) {
                options[option.long] = try option.convert?(given.occurrences(of: option.long))
            } catch {
                var error = error
                error.message = "--\(option.long): \(error.message)"
                throw Self.explained(error, spec)
            }
        }
        self.options = options
        var operands: [String: any Sendable] = [:]
        for operand in spec.operands where !spec.hasOwnSyntax {
            do throws(VTError) {
                operands[operand.placeholder] = try operand.convert?(operandWords[operand.placeholder] ?? [])
            } catch {
                throw Self.explained(error, spec)
            }
        }
        self.operands = operands
    }

    // MARK: - Options

    /// The value of an option.
    package subscript<Value>(option: Option<Value>) -> Value {
        assertKnown(option)
        guard let value = options[option.long] else { return option.absent }
        guard let value = value as? Value else {
            fatalError("the value of '--\(option.long)' is not of type \(Value.self)")
        }
        return value
    }

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

    private func assertKnown(_ option: any CommandOption) {
        assert(accepts(option), "'vt \(spec.name)' has no option '--\(option.long)'")
    }

    // MARK: - Operands

    /// The value of an operand.
    package subscript<Value>(operand: Operand<Value>) -> Value {
        guard let value = operands[operand.spec.placeholder], let value = value as? Value else {
            fatalError("'vt \(spec.name)' has no operand \(operand.spec.placeholder) of type \(Value.self)")
        }
        return value
    }

    /// The error for a missing operand.
    package func missing(_ operand: any CommandOperand) -> VTError {
        VTError(.usage, "missing argument: \(operand.spec.placeholder)", hint: "see 'vt help \(spec.name)'")
    }

    // MARK: -

    private static func explained(_ error: VTError, _ spec: CommandSpec) -> VTError {
        guard error.hint == nil else { return error }
        var error = error
        error.hint = "see 'vt help \(spec.name)'"
        return error
    }
}
