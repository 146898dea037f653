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
    /// The values of the options that were given, with their long names; a dictionary would look up a conformance.
    private let options: [NamedValue]
    /// The values of the operands, with their placeholders.
    private let operands: [NamedValue]

    private typealias NamedValue = (name: String, value: any Sendable)

    /// Converts the values.
    ///
    /// - Throws: `usage` if a value is invalid; the message names the option.
    init(
        spec: CommandSpec,
        given: GivenOptions,
        operandWords: [(placeholder: String, words: [ByteString])],
        commandWords: [ByteString],
        hasSeparator: Bool
    ) throws(VTError) {
        (self.spec, self.given) = (spec, given)
        (self.commandWords, self.hasSeparator) = (commandWords, hasSeparator)
        var options: [NamedValue] = []
        for option in spec.options where given.contains(option.long) {
            do throws(VTError) {
                guard let value = try option.convert?(given.occurrences(of: option.long)) else { continue }
                options.append((option.long, value))
            } catch {
                var error = error
                error.message = "--\(option.long): \(error.message)"
                throw Self.explained(error, spec)
            }
        }
        self.options = options
        var operands: [NamedValue] = []
        for operand in spec.operands where !spec.hasOwnSyntax {
            do throws(VTError) {
                let words = operandWords.first { $0.placeholder == operand.placeholder }?.words ?? []
                guard let value = try operand.convert?(words) else { continue }
                operands.append((operand.placeholder, value))
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
        guard let value = options.first(where: { $0.name == option.long })?.value else { return option.absent }
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
        let placeholder = operand.spec.placeholder
        guard let value = operands.first(where: { $0.name == placeholder })?.value as? Value else {
            fatalError("'vt \(spec.name)' has no operand \(placeholder) of type \(Value.self)")
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
