import Core

/// The exported variables of a shell, as printed by `env -0`.
struct ShellEnvironment: Equatable {
    /// `NAME=VALUE` words, without those that belong to one process.
    private(set) var words: [ByteString]

    /// Variables that the shell sets, or readline while it calls the hook (bash(1)).
    private static let own: Set<String> = [
        "_", "SHLVL", "OLDPWD", "COLUMNS", "LINES",
        "READLINE_LINE", "READLINE_POINT", "READLINE_MARK", "READLINE_ARGUMENT",
    ]

    /// `contents` are words that are each terminated by NUL; returns nil if the last one is not, because it is incomplete.
    init?(_ contents: [UInt8]) {
        guard contents.last == 0 else { return nil }
        self.init(words: contents.dropLast().split(separator: 0).map { ByteString(Array($0)) })
    }

    init(words: [ByteString]) {
        self.words = words.filter { word in
            Self.parts(of: word).map { !Self.own.contains(String(decoding: $0.name, as: UTF8.self)) } ?? false
        }
    }

    /// The value of a variable; nil if it is not exported.
    func value(of name: String) -> ByteString? {
        let word = words.last { Self.parts(of: $0)?.name.elementsEqual(name.utf8) ?? false }
        return word.flatMap { Self.parts(of: $0) }.map { ByteString(Array($0.value)) }
    }

    /// The lines that change the exported variables and the directory of a shell from `current` to these; none if they are
    /// equal.
    ///
    /// Only names that shells can change are included: other variables remain as the shell got them.
    func script(from current: ShellEnvironment, for kind: ShellKind) -> [UInt8] {
        let (wanted, present) = (variables, current.variables)
        var lines: [ByteString] = []
        for name in present.keys.sorted() where wanted[name] == nil { lines.append(kind.unset(name)) }
        for (name, value) in wanted.sorted(by: { $0.key < $1.key }) where present[name] != value && name != "PWD" {
            lines.append(kind.export(name, value))
        }
        if let directory = wanted["PWD"], directory != present["PWD"] { lines.append(kind.enter(directory)) }
        return lines.flatMap { $0.bytes + [UInt8(ascii: "\n")] }
    }

    /// The variables whose names are valid in shells (POSIX.1-2017, XBD 3.235).
    private var variables: [String: ByteString] {
        var variables: [String: ByteString] = [:]
        for (name, value) in words.compactMap({ Self.parts(of: $0) }) where Self.isName(name) {
            variables[String(decoding: name, as: UTF8.self)] = ByteString(Array(value))
        }
        return variables
    }

    private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        guard let first = name.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return name.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    private static func parts(of word: ByteString) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        guard let equals = word.bytes.firstIndex(of: UInt8(ascii: "=")), equals > 0 else { return nil }
        return (word.bytes[..<equals], word.bytes[(equals + 1)...])
    }
}

extension ShellKind {
    /// Whether the hook of the shell can save its environment, and change it.
    var savesEnvironment: Bool { self != .sh }

    /// The line that sets the umask.
    func setCreationMask(_ mask: UInt32) -> ByteString {
        let command = self == .fish ? "umask" : "\\builtin \\umask"
        return ByteString("\(command) \(mask.octal())\n")
    }

    fileprivate func export(_ name: String, _ value: ByteString) -> ByteString {
        self == .fish
            ? ByteString("set -gx \(name) ") + value.shellQuoted
            : ByteString("\\builtin \\export \(name)=") + value.shellQuoted
    }

    fileprivate func unset(_ name: String) -> ByteString {
        self == .fish ? ByteString("set -eg \(name)") : ByteString("\\builtin \\unset -v \(name)")
    }

    fileprivate func enter(_ directory: ByteString) -> ByteString {
        switch self {
        case .fish: ByteString("builtin cd ") + directory.shellQuoted
        // -q: without the user's hooks.
        case .zsh: ByteString("\\builtin \\cd -q -- ") + directory.shellQuoted
        case .bash, .sh: ByteString("\\builtin \\cd -- ") + directory.shellQuoted
        }
    }
}
