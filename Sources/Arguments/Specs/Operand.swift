import Core

/// An operand of a command, with the type of its value.
///
/// `Value` is an optional for an operand that can be omitted, and an array for one that takes several words.
package struct Operand<Value: Sendable>: CommandOperand {
    package let spec: OperandSpec
    /// Converts the words of the operand.
    private let read: @Sendable ([ByteString]) throws(VTError) -> Value

    private init(_ spec: OperandSpec, _ read: @escaping @Sendable ([ByteString]) throws(VTError) -> Value) {
        self.read = read
        var spec = spec
        spec.convert = { words throws(VTError) in try read(words) }
        self.spec = spec
    }
}

/// An operand with any type of value, or one whose words are in `Call.commandWords`.
package protocol CommandOperand: Sendable {
    var spec: OperandSpec { get }
}

extension OperandSpec: CommandOperand {
    package var spec: OperandSpec { self }
}

extension Operand {
    /// An operand of one word, which `parse` converts; `choices` are the allowed words, any word if it is empty.
    package init(
        _ placeholder: String,
        completion: CompletionKind = .none,
        choices: [String] = [],
        missingHint: String? = nil,
        parse: @escaping @Sendable (String) throws(VTError) -> Value
    ) {
        let spec = OperandSpec(placeholder, completion: completion, choices: choices, missingHint: missingHint)
        self.init(spec) { words throws(VTError) in try parse(words[0].repairedText) }
    }

    /// The same operand, which can be omitted, or which these options replace.
    package func optional(omittedWith options: [any CommandOption] = []) -> Operand<Value?> {
        var spec = spec
        if options.isEmpty { spec.arity = .optional } else { spec.omittedWith = options.map(\.long) }
        return Operand<Value?>(spec) { [read] words throws(VTError) in words.isEmpty ? nil : try read(words) }
    }

    /// The same operand with several words, of which these options replace all.
    package func list(
        _ arity: OperandSpec.Arity,
        omittedWith options: [any CommandOption] = []
    ) -> Operand<[Value]> {
        var spec = spec
        (spec.arity, spec.omittedWith) = (arity, options.map(\.long))
        return Operand<[Value]>(spec) { [read] words throws(VTError) in
            try words.map { word throws(VTError) in try read([word]) }
        }
    }
}

extension Operand<String> {
    /// An operand of one word, as it is.
    package init(
        _ placeholder: String,
        completion: CompletionKind = .none,
        choices: [String] = [],
        missingHint: String? = nil
    ) {
        self.init(placeholder, completion: completion, choices: choices, missingHint: missingHint) { $0 }
    }
}

extension Operand<ByteString> {
    /// An operand of one word that may be invalid UTF-8, as file names may.
    package init(bytes placeholder: String, completion: CompletionKind) {
        self.init(OperandSpec(placeholder, completion: completion, takesBytes: true)) { words in words[0] }
    }
}
