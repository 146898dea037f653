import Arguments
import Core
import Services
import System

/// The options that describe a profile, for `vt profile add` and `vt profile edit`.
enum ProfileOptions {
    /// Returns the changes requested by the options, except for secrets on standard input.
    static func edit(_ arguments: ParsedArguments) throws(VTError) -> ProfileEdit {
        var edit = ProfileEdit()
        edit.user = try arguments.user("user")
        edit.port = try arguments.port("port")
        edit.identities = list(try arguments.values("identity", parse: text))
        if arguments.flag("no-agent") { edit.agent = false }
        if arguments.flag("agent") { edit.agent = true }
        edit.jump = arguments.value("jump")
        edit.proxyCommand = try arguments.value("proxy-command", parse: text)
        edit.via = try arguments.value("via", parse: via)
        edit.password = try SecretOptions.source(.password, in: arguments)
        edit.passphrase = try SecretOptions.source(.passphrase, in: arguments)
        edit.secretStore = arguments.value("secret-store").map { $0 == "file" ? .file : .secretService }
        edit.hostKeyPolicy = arguments.choice("host-key-policy", of: HostKeyPolicy.self)
        if let pin = try arguments.value("host-key", parse: fingerprint) { edit.hostKeyPolicy = .pin(pin) }
        edit.knownHosts = try arguments.value("known-hosts", parse: text)
        edit.allowedAlgorithms = list(arguments.values("allow-algorithm"))
        try setLimits(in: &edit, arguments)
        edit.cwd = try arguments.value("cwd", parse: text)
        edit.environment = list(
            try arguments.variables("env")
        )
        edit.shell = try arguments.value("shell", parse: text)
        edit.tags = list(try arguments.tags("tag"))
        edit.note = try arguments.value("note", parse: text)
        return edit
    }

    /// Makes the paths in the edit absolute, and adds the paths of the keys.
    static func anchored(_ edit: ProfileEdit, keys: [String], in context: Context) throws(VTError) -> ProfileEdit {
        var edit = edit
        edit.identities = edit.identities?.map(WorkingDirectory.absolute)
        if !keys.isEmpty { edit.identities = (edit.identities ?? []) + (try paths(of: keys, in: context)) }
        edit.knownHosts = edit.knownHosts.map(WorkingDirectory.absolute)
        edit.password = edit.password.map(anchored)
        edit.passphrase = edit.passphrase.map(anchored)
        return edit
    }

    private static func paths(of keys: [String], in context: Context) throws(VTError) -> [String] {
        do throws(VTError) {
            return try context.keyService().paths(of: keys)
        } catch {
            guard error.code == .notFound, let path = keys.first(where: { $0.contains("/") }) else { throw error }
            var error = error
            error.hint = "for the file of a key, use '--identity \(path.sanitized)'"
            throw error
        }
    }

    private static func anchored(_ source: SecretSource) -> SecretSource {
        guard case .file(let path) = source else { return source }
        return .file(WorkingDirectory.absolute(path))
    }

    private static func setLimits(in edit: inout ProfileEdit, _ arguments: ParsedArguments) throws(VTError) {
        edit.connectTimeout = try arguments.duration("connect-timeout", atLeast: .milliseconds(1))
        edit.keepAlive = try arguments.duration("keep-alive")
        edit.keepAliveCount = try arguments.number("keep-alive-count", in: 1...1000)
        edit.share = try arguments.value("share", parse: ShareTimeout.parse)
    }

    // MARK: - Values

    /// Returns nil if the option was not given, so that the list is left unchanged.
    private static func list<Element>(_ values: [Element]) -> [Element]? {
        values.isEmpty ? nil : values
    }

    private static func text(_ value: String) throws(VTError) -> String {
        guard !value.isEmpty, !value.utf8.contains(0) else {
            throw VTError(.usage, "a value is empty or contains a NUL byte")
        }
        return value
    }

    private static func via(_ value: String) throws(VTError) -> String {
        try ViaCommand(parsing: try text(value)).text
    }

    static func fingerprint(_ value: String) throws(VTError) -> String {
        guard HostKeyPolicy.isFingerprint(value) else {
            throw VTError(
                .usage,
                "invalid fingerprint '\(value)'",
                hint: "use the form that ssh-keygen -l prints: SHA256: followed by 43 characters"
            )
        }
        return value
    }
}
