import Core

/// The arguments for creating a session with a server's vt, and the environment variables, which are sent separately
/// because every user of the server can read the arguments.
struct CreateWords {
    let words: [ByteString]
    /// The variables for standard input: `NAME=VALUE`, each terminated by NUL.
    let input: [UInt8]

    init(_ order: SessionCreation, profile: Profile?) {
        var words: [ByteString] = ["sessions", "create", "--json"]
        func add(_ option: String, _ value: String?) {
            guard let value else { return }
            words += [ByteString("--\(option)"), ByteString(value)]
        }
        add("cwd", order.directory ?? profile?.cwd)
        let named = Set(order.variables.map(\.name))
        var input: [UInt8] = []
        for (name, value) in (profile?.environment ?? [:]).sorted(by: { $0.key < $1.key }) where !named.contains(name) {
            input += Array("\(name)=\(value)\0".utf8)
        }
        for variable in order.variables { input += Array("\(variable.name)=\(variable.value)\0".utf8) }
        self.input = input
        if !input.isEmpty { add("env-stdin", String(input.count)) }
        add("size", "\(order.size.columns)x\(order.size.rows)")
        add("term", order.terminalType)
        for tag in order.tags { add("tag", tag) }
        add("log-max", String(order.logLimitBytes))
        if order.logsInput { words.append("--log-input") }
        add("if-exists", order.ifExists.rawValue)
        if order.mustSurvive { words.append("--require-survive") }
        words.append(ByteString(order.name.text))
        self.words = order.command.isEmpty ? words : words + ["--"] + order.command
    }
}
