import Core

/// A command line in the syntax of ssh(1).
///
/// Each flag with a meaning for vt becomes the ssh_config(5) option that it stands for, so that flags and `-o` have the
/// same effects and the same precedence.
package struct SSHCommandLine: Hashable, Sendable {
    /// What the command line asks for.
    package enum Action: Hashable, Sendable {
        /// Run a program on the server.
        case run
        /// Print the configuration of the host (`-G`).
        case showConfiguration
        /// Print the version (`-V`).
        case showVersion
        /// List the supported algorithms (`-Q`).
        case query(String)
        /// Inspect or close the shared connection (`-O`).
        case control(SSHControl)
    }

    package var action = Action.run
    /// The host as typed, without the user; empty only with `showVersion` and `query`.
    package var host = ""
    /// Options in the form of `-o`; for each option, the first occurrence applies.
    package var options: [String] = []
    /// The files given with `-i`, which are also in `options`.
    package var identities: [String] = []
    /// The file given with `-F`; `none` means that no configuration is read.
    package var configurationFile: String?
    /// The address to which standard input and output are connected instead of running a program (`-W`).
    package var standardForward: ForwardAddress?
    /// Whether the words name a subsystem (`-s`).
    package var isSubsystem = false
    package var isQuiet = false
    /// The file to which messages are appended (`-E`).
    package var logFile: String?
    /// The number of times `-v` was given.
    package var verbosity = 0
    /// The words after the host.
    package var words: [ByteString] = []

    /// Parses the words after the program name; as with ssh, options can also follow the host, unless `--` precedes it.
    ///
    /// - Throws: `usage` for an unknown flag, a missing value or host, and for flags that vt cannot honor.
    package init(_ words: [ByteString]) throws(VTError) {
        var rest = words[...]
        let hasEnded = try readOptions(&rest)
        if needsHost {
            guard let word = rest.popFirst() else {
                throw VTError(.usage, "missing argument: HOST", hint: "see 'vt help ssh'")
            }
            try readDestination(try Self.text(word))
            if !hasEnded { _ = try readOptions(&rest) }
            self.words = Array(rest)
        }
        if let terminal { overriding.append("RequestTTY=\(terminal)") }
        options = overriding.reversed() + options
    }

    /// The options that take precedence over those in `options` and over earlier ones, as some flags do over `-o`.
    private var overriding: [String] = []
    /// The value of RequestTTY according to the flags.
    private var terminal: String?

    private var needsHost: Bool {
        switch action {
        case .showVersion, .query: false
        case .run, .showConfiguration, .control: true
        }
    }

    /// The words joined with spaces, which is what ssh sends to the server.
    package var joinedWords: ByteString {
        words.joined(separator: " ")
    }

    // MARK: - Options

    /// Reads options up to the first word that is not an option; returns whether `--` ended them.
    private mutating func readOptions(_ words: inout ArraySlice<ByteString>) throws(VTError) -> Bool {
        while let word = words.first, word.bytes.count > 1, word.bytes.first == UInt8(ascii: "-") {
            words.removeFirst()
            if word == "--" { return true }
            var letters = try Self.text(word).dropFirst()
            guard letters.first != "-" else {
                let name = letters.prefix { $0 != "=" }
                throw VTError(.usage, "unknown option '-\(name)'", hint: "see 'vt help ssh'")
            }
            while let letter = letters.popFirst() {
                guard let flag = SSHFlag(rawValue: letter) else {
                    throw VTError(.usage, "unknown option '-\(letter)'", hint: "see 'vt help ssh'")
                }
                var value = ""
                if flag.takesValue {
                    value = letters.isEmpty ? try Self.value(of: letter, &words) : String(letters)
                    letters = ""
                }
                try apply(flag, value)
            }
        }
        return false
    }

    private mutating func apply(_ flag: SSHFlag, _ value: String) throws(VTError) {
        switch flag.effect {
        case .ignored: break
        case .option(let name, let fixed): options.append("\(name)=\(fixed ?? value)")
        case .overriding(let name, let fixed): overriding.append("\(name)=\(fixed ?? value)")
        case .refused(let reason, let hint):
            throw VTError(.usage, "cannot use '-\(flag.rawValue)': \(reason)", hint: hint)
        case .special:
            switch flag {
            case .showConfiguration: action = .showConfiguration
            case .showVersion: action = .showVersion
            case .query: action = .query(value)
            case .controlCommand: action = .control(try SSHControl(parsing: value))
            case .logFile: logFile = value
            case .configurationFile: configurationFile = value
            case .subsystem: isSubsystem = true
            case .quiet: isQuiet = true
            case .verbose: verbosity += 1
            case .terminal: terminal = terminal == nil || terminal == "no" ? "yes" : "force"
            case .noTerminal: terminal = "no"
            case .noCommand:
                overriding.append("SessionType=none")
                terminal = "no"
            case .background: overriding += ["ForkAfterAuthentication=yes", "StdinNull=yes"]
            case .identity:
                options.append("IdentityFile=\(value)")
                identities.append(value)
            case .standardForwarding:
                standardForward = try ForwardAddress(parsing: value)
                overriding.append("SessionType=none")
                terminal = "no"
            default: options.append(value)
            }
        }
    }

    private static func value(
        of letter: Character,
        _ words: inout ArraySlice<ByteString>
    ) throws(VTError) -> String {
        guard let word = words.popFirst() else {
            throw VTError(.usage, "option '-\(letter)' requires a value", hint: "see 'vt help ssh'")
        }
        return try text(word)
    }

    private static func text(_ word: ByteString) throws(VTError) -> String {
        guard let text = word.text else { throw VTError(.usage, "'\(word.repairedText)' is not UTF-8") }
        return text
    }

    // MARK: - Destination

    /// Reads `[USER@]HOST` or an ssh:// URL; only in a URL does a colon separate a port.
    private mutating func readDestination(_ text: String) throws(VTError) {
        guard !text.hasPrefix("ssh://") else {
            let destination = try Destination(parsing: text)
            host = destination.host
            if let user = destination.user { options.append("User=\(user)") }
            if let port = destination.port { options.append("Port=\(port)") }
            return
        }
        host = text
        if let at = text.lastIndex(of: "@") {
            host = String(text[text.index(after: at)...])
            options.append("User=\(text[..<at])")
        }
        guard Destination.isHost(host) else { throw VTError(.usage, "invalid host name in '\(text)'") }
    }
}
