import Core

/// Parses one command line from left to right.
struct LineReader {
    let tree: CommandTree
    /// The remaining words.
    var words: ArraySlice<ByteString>
    private(set) var command: CommandSpec?
    private(set) var given = GivenOptions()
    private var help: Request?
    /// The leading words recognized so far: the path of a command or the name of a group.
    private var path: [String] = []
    private var hasCommandWords = false
    private var operandCount = 0

    init(tree: CommandTree, words: ArraySlice<ByteString>) {
        self.tree = tree
        self.words = words
    }

    mutating func request() throws(VTError) -> Request {
        guard let command = try findCommand() else { return help ?? .help(path: path, isLong: false) }
        self.command = command
        if command.hasOwnSyntax { return try ownSyntax(of: command) }
        var operands = OperandReader(command)
        while let word = words.popFirst() {
            if operands.isOption(word) {
                try readOption(word)
                if let help { return help }
            } else if try operands.take(word, given: given) == .commandBegins {
                hasCommandWords = true
                operands.takeCommand(word, words)
                break
            }
            operandCount = operands.count
        }
        if !given.occurrences.isEmpty {
            try given.checkExclusions(among: command.options + tree.globalOptions) { seeHelp }
        }
        return .run(try operands.finish(given: given))
    }

    /// Returns the remaining words as they are, for a command that parses them itself.
    private mutating func ownSyntax(of command: CommandSpec) throws(VTError) -> Request {
        if let word = words.first, word == "-h" || word == "--help" {
            try readOption(word)
            if let help { return help }
        }
        return .run(
            try Call(
                spec: command,
                given: given,
                operandWords: [],
                commandWords: Array(words),
                hasSeparator: false
            )
        )
    }

    /// Whether the command, with the options read so far, exits with the status of a program.
    var passesStatusThrough: Bool {
        guard let command else { return false }
        // If parsing failed before reaching the command to run, look for `--` in the remaining words.
        let hasCommand = hasCommandWords || words.contains("--")
        return command.passesStatusThrough || command.passesStatusThroughWith.contains(where: given.contains)
            || command.passesStatusThroughWithCommand && hasCommand
    }

    /// Whether `--json` occurs after the word at which parsing failed, so that the failure is reported as JSON too.
    ///
    /// The options of an unknown command are unknown as well, so a value of an option is not told apart.
    var jsonFollows: Bool {
        !hasCommandWords && words.prefix { $0 != "--" }.contains("--json")
    }

    // MARK: - The command

    /// Reads words through the last word of a command's path; returns nil if help was requested first.
    private mutating func findCommand() throws(VTError) -> CommandSpec? {
        while let word = words.popFirst() {
            if word == "--version", path.isEmpty, let command = tree.command(at: ["version"]) { return command }
            if word.bytes.first == UInt8(ascii: "-"), word.bytes.count > 1 {
                try readOption(word)
                if help != nil { return nil }
                continue
            }
            guard let name = word.text else { throw unknownWord(word.repairedText) }
            path.append(name)
            if let command = tree.command(at: path) { return command }
            guard path.count == 1, tree.isGroup(name) else {
                path.removeLast()
                throw unknownWord(name)
            }
        }
        guard let group = path.first else {
            throw VTError(.usage, "missing command", hint: "see 'vt help'")
        }
        let verbs = tree.verbs(of: group).compactMap(\.path.last).joined(separator: ", ")
        throw VTError(.usage, "'vt \(group)' requires a verb: \(verbs)", hint: "see 'vt help \(group)'")
    }

    private func unknownWord(_ word: String) -> VTError {
        let typed = (["vt"] + path + [word]).joined(separator: " ")
        let candidates = path.first.map { tree.verbs(of: $0).compactMap(\.path.last) } ?? tree.firstWords
        let groups = tree.visibleGroups.filter { path.isEmpty && tree.command(at: [$0.name, word]) != nil }
        let hint =
            if let replacement = tree.overview.replacements[(path + [word]).joined(separator: " ")] {
                replacement
            } else if let group = groups.first, groups.count == 1 {
                "did you mean 'vt \(group.name) \(word)'?"
            } else if let nearest = Suggestion.nearest(to: word, among: candidates) {
                "did you mean '\((["vt"] + path + [nearest]).joined(separator: " "))'?"
            } else if path.isEmpty, tree.command(at: ["sessions", "create"]) != nil {
                "to run a program in a session: vt sessions create NAME -- \(word)"
            } else {
                seeHelp
            }
        return VTError(.usage, "unknown command '\(typed)'", hint: hint)
    }

    private var seeHelp: String { Self.seeHelp(on: path) }

    private static func seeHelp(on path: [String]) -> String {
        "see '\((["vt", "help"] + path).joined(separator: " "))'"
    }

    // MARK: - Options

    private mutating func readOption(_ word: ByteString) throws(VTError) {
        guard let text = word.text else {
            // The message omits the value, which may be a secret, as with `--env`.
            let name = word.repairedText.prefix { $0 != "=" }
            throw VTError(.usage, "option '\(name)' is not UTF-8", hint: seeHelp)
        }
        if text.hasPrefix("--") {
            try readLong(text)
        } else {
            try readShort(text)
        }
    }

    private mutating func readLong(_ text: String) throws(VTError) {
        let body = text.dropFirst(2)
        let name = body.prefix { $0 != "=" }
        let attached = name.endIndex == body.endIndex ? nil : String(body[body.index(after: name.endIndex)...])
        guard let option = option(where: { $0.long == name || $0.formerName.map { $0 == name } ?? false }) else {
            let options = (command?.options ?? []) + tree.globalOptions
            let nearest = Suggestion.nearest(to: String(name), among: options.map(\.long))
            throw VTError(
                .usage,
                "unknown option '--\(name)'" + (command.map { " for 'vt \($0.name)'" } ?? ""),
                hint: nearest.map { "did you mean '--\($0)'?" } ?? seeHelp
            )
        }
        if option.value == nil, attached != nil {
            throw VTError(.usage, "option '--\(name)' does not take a value", hint: seeHelp)
        }
        var value = attached
        if option.value != nil, value == nil { value = try nextValue(of: "--\(name)") }
        try add(option, value: value, isLong: true)
    }

    private mutating func readShort(_ text: String) throws(VTError) {
        var letters = text.dropFirst()
        while help == nil, let letter = letters.popFirst() {
            guard let option = option(where: { $0.short == letter }) else {
                let owner = command.map { " for 'vt \($0.name)'" } ?? ""
                throw VTError(.usage, "unknown option '-\(letter)'" + owner, hint: seeHelp)
            }
            var value: String?
            if option.value != nil {
                value = letters.isEmpty ? try nextValue(of: "-\(letter)") : String(letters)
                letters = ""
            }
            try add(option, value: value, isLong: false)
        }
    }

    private func option(where matches: (OptionSpec) -> Bool) -> OptionSpec? {
        command?.options.first(where: matches) ?? tree.globalOptions.first(where: matches)
    }

    private mutating func add(_ option: OptionSpec, value: String?, isLong: Bool) throws(VTError) {
        guard option.long != "help" else {
            help = .help(path: path, isLong: isLong)
            return
        }
        let path = path
        try given.add(option, value: value, after: operandCount) { Self.seeHelp(on: path) }
    }

    private mutating func nextValue(of option: String) throws(VTError) -> String {
        guard let word = words.popFirst() else {
            throw VTError(.usage, "option '\(option)' requires a value", hint: seeHelp)
        }
        guard let text = word.text else {
            throw VTError(.usage, "the value of '\(option)' is not UTF-8", hint: seeHelp)
        }
        return text
    }
}
