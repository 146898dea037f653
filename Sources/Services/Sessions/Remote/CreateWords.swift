import Core

/// The arguments for creating a session with a server's vt, and the environment variables, which are sent separately
/// because every user of the server can read the arguments.
struct CreateWords {
    let words: [ByteString]
    /// The variables for standard input: `NAME=VALUE`, each terminated by NUL.
    let input: [UInt8]

    init(_ creation: SessionCreation, profile: Profile?) {
        var words: [ByteString] = ["sessions", "create", "--json"]
        func add(_ option: String, _ value: String?) {
            guard let value else { return }
            words += [ByteString("--\(option)"), ByteString(value)]
        }
        add("cwd", creation.directory ?? profile?.cwd)
        let named = Set(creation.variables.map(\.name))
        var input: [UInt8] = []
        for (name, value) in (profile?.environment ?? [:]).sorted(by: { $0.key < $1.key }) where !named.contains(name) {
            input += Array("\(name)=\(value)\0".utf8)
        }
        for variable in creation.variables { input += Array("\(variable.name)=\(variable.value)\0".utf8) }
        self.input = input
        if !input.isEmpty { add("env-stdin", String(input.count)) }
        add("size", "\(creation.size.columns)x\(creation.size.rows)")
        add("term", creation.terminalType)
        for tag in creation.tags { add("tag", tag) }
        add("log-max", String(creation.logLimitBytes))
        if creation.logsInput { words.append("--log-input") }
        if creation.keepFor == .zero {
            words.append("--rm")
        } else {
            add("keep-for", creation.keepFor?.shortText)
        }
        add("if-exists", creation.ifExists.rawValue)
        if creation.mustSurvive { words.append("--require-survive") }
        words.append(ByteString(creation.name.text))
        self.words = creation.command.isEmpty ? words : words + ["--"] + creation.command
    }
}
