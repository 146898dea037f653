import Core

/// Assigns words that are not options to operands.
struct OperandReader {
    enum Taken {
        case word
        /// The word starts the command to run; it was not consumed.
        case commandBegins
    }

    private let command: CommandSpec
    private var words: [ByteString] = []
    private var commandWords: [ByteString] = []
    private var optionsEnded = false
    private var hasSeparator = false

    init(_ command: CommandSpec) {
        self.command = command
    }

    /// The number of words assigned to operands so far.
    var count: Int { words.count }

    /// Whether the word is to be parsed as one or more options.
    func isOption(_ word: ByteString) -> Bool {
        !optionsEnded && word != "--" && word.bytes.count > 1 && word.bytes.first == UInt8(ascii: "-")
    }

    mutating func take(_ word: ByteString, given: GivenOptions) throws(VTError) -> Taken {
        let next = leadingOperands(given).dropFirst(words.count).first
        let hasCommand = command.commandWords != nil
        // A separator in place of an optional operand means that the operand is omitted.
        let isCommandNext = hasCommand && (next == nil || word == "--" && next?.arity == .optional || hasSeparator)
        // The words after the separator are the command to run, so a required operand before the separator is missing.
        if word == "--", !isCommandNext, command.commandWords?.arity == .optionalCommandWords,
            let next
        {
            throw missing(next)
        }
        if word == "--", !optionsEnded || (isCommandNext && !hasSeparator) {
            optionsEnded = true
            hasSeparator = isCommandNext
            return .word
        }
        guard !isCommandNext else { return .commandBegins }
        words.append(word)
        return .word
    }

    mutating func takeCommand(_ first: ByteString, _ rest: ArraySlice<ByteString>) {
        commandWords = [first] + rest
    }

    /// Assigns the words to the operands.
    func finish(given: GivenOptions) throws(VTError) -> Call {
        let operands = leadingOperands(given)
        var neededSoFar = 0
        for operand in operands {
            neededSoFar += operand.arity.minimum
            guard neededSoFar <= words.count else { throw missing(operand) }
        }
        var left = words[...]
        var operandWords: [(placeholder: String, words: [ByteString])] = []
        for (index, operand) in operands.enumerated() {
            let neededLater = operands[(index + 1)...].reduce(0) { $0 + $1.arity.minimum }
            let count = min(left.count - neededLater, operand.arity.maximum)
            let taken = left.prefix(count)
            if !operand.takesBytes, let word = taken.first(where: { $0.text == nil }) {
                throw VTError(.usage, "argument '\(word.repairedText)' is not UTF-8", hint: seeHelp)
            }
            for word in taken {
                try GivenOptions.check(word.repairedText, isAmong: operand.choices, for: operand.placeholder)
            }
            operandWords.append((operand.placeholder, Array(taken)))
            left = left.dropFirst(count)
        }
        if let superfluous = left.first { throw self.superfluous(superfluous.repairedText, given) }
        if commandWords.isEmpty, let operand = command.commandWords, operand.arity == .commandWords,
            !operand.omittedWith.contains(where: given.contains)
        {
            throw missing(operand)
        }
        return try Call(
            spec: command,
            given: given,
            operandWords: operandWords,
            commandWords: commandWords,
            hasSeparator: hasSeparator
        )
    }

    /// Returns the operands that take words: those before the command to run, unless a given option replaces them.
    private func leadingOperands(_ given: GivenOptions) -> [OperandSpec] {
        command.operands.filter { operand in
            !operand.arity.isCommand && !operand.omittedWith.contains(where: given.contains)
        }
    }

    private var seeHelp: String {
        "see 'vt help \(command.name)'"
    }

    private func missing(_ operand: OperandSpec) -> VTError {
        VTError(.usage, "missing argument: \(operand.placeholder)", hint: operand.missingHint ?? seeHelp)
    }

    private func superfluous(_ word: String, _ given: GivenOptions) -> VTError {
        for operand in command.operands {
            for option in operand.omittedWith where given.contains(option) {
                let message = "unexpected argument '\(word)': '--\(option)' replaces \(operand.placeholder)"
                return VTError(.usage, message, hint: seeHelp)
            }
        }
        return VTError(.usage, "unexpected argument '\(word)'", hint: seeHelp)
    }
}

extension OperandSpec.Arity {
    fileprivate var minimum: Int {
        switch self {
        case .one, .oneOrMore, .commandWords: 1
        case .optional, .zeroOrMore, .optionalCommandWords: 0
        }
    }

    fileprivate var maximum: Int {
        switch self {
        case .one, .optional: 1
        case .oneOrMore, .zeroOrMore, .commandWords, .optionalCommandWords: .max
        }
    }
}
