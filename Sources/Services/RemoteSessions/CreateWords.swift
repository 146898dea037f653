import Core

/// The words that make the vt of a server create a session.
struct CreateWords {
    let words: [ByteString]

    init(_ order: SessionOrder, profile: Profile?) {
        var words: [ByteString] = ["sessions", "create", "--json"]
        func add(_ option: String, _ value: String?) {
            guard let value else { return }
            words += [ByteString("--\(option)"), ByteString(value)]
        }
        add("cwd", order.directory ?? profile?.cwd)
        let named = Set(order.variables.map(\.name))
        for (name, value) in (profile?.environment ?? [:]).sorted(by: { $0.key < $1.key }) where !named.contains(name) {
            add("env", "\(name)=\(value)")
        }
        for variable in order.variables { add("env", "\(variable.name)=\(variable.value)") }
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
