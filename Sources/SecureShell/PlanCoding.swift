import Core

/// The encoding of a connection plan without its secrets and timeouts, which identifies a shared connection.
///
/// Two commands share a connection only if their plans are encoded identically: same server, user, route, credentials,
/// host key policy and keep-alives, and the same version of vt.
enum PlanCoding {
    /// Returns the encoding; `context` identifies what else the connection depends on: the version of vt, the machine,
    /// its namespaces and the directories in use.
    ///
    /// A program can read any variable, so commands share its connection only if they have the same environment.
    static func encode(_ plan: SSHPlan, context: String, environment: [ByteString]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendText(context)
        append(plan, to: &bytes)
        if runsProgram(plan) {
            let words = environment.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
            bytes.appendList(words) { $0.appendString($1) }
        }
        return bytes
    }

    /// Returns the plan; nil for malformed data.
    ///
    /// `secret` returns a secret of the server at a depth: 0 for the target, 1 for its jump host, and so on.
    static func decode(
        _ bytes: [UInt8],
        connectTimeout: Duration,
        prompter: Prompter? = nil,
        secret: @escaping @Sendable (SecretKey.Purpose, UInt8) async throws(VTError) -> Secret?
    ) -> SSHPlan? {
        var reader = WireReader(bytes[...])
        guard reader.text() != nil else { return nil }
        return plan(&reader, depth: 0, connectTimeout: connectTimeout, prompter: prompter, secret: secret)
    }

    /// Whether connecting runs a program: a proxy command, or one that lists host keys.
    static func runsProgram(_ plan: SSHPlan) -> Bool {
        guard plan.hostKeyLookup.command.isEmpty else { return true }
        return switch plan.route {
        case .direct: false
        case .jump(let hop): runsProgram(hop)
        case .proxyCommand: true
        }
    }

    /// The 64-bit FNV-1a hash of the key, as 16 hexadecimal digits; mux servers compare whole keys, so a collision only
    /// prevents sharing.
    static func hash(_ key: [UInt8]) -> String {
        let digits = String(StableHash.hash(key), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func append(_ plan: SSHPlan, to bytes: inout [UInt8]) {
        bytes.appendText(plan.name)
        bytes.appendEndpoint(plan.endpoint)
        bytes.appendText(plan.user)
        bytes.appendOptional(plan.credentials.agentSocket) { $0.appendText($1) }
        bytes.appendList(plan.credentials.identities) {
            $0.appendText($1.path)
            $0.appendBool($1.isRequired)
        }
        bytes.appendList(plan.credentials.certificates) { $0.appendText($1) }
        bytes.appendBool(plan.credentials.isLimitedToIdentities)
        bytes.appendList(plan.credentials.methods) { $0.appendText($1.rawValue) }
        bytes.appendText(plan.hostKeyPolicy.rawValue)
        bytes.appendLookup(plan.hostKeyLookup)
        bytes.appendList(plan.allowedAlgorithms) { $0.appendText($1) }
        for kind in AlgorithmKind.allCases { bytes.appendOptional(plan.algorithms[kind]) { $0.appendText($1) } }
        bytes.appendOptional(plan.bindAddress) { $0.appendText($1) }
        bytes.appendOptional(plan.bindInterface) { $0.appendText($1) }
        bytes.appendDuration(plan.limits.keepAliveInterval)
        bytes.appendUInt32(UInt32(clamping: plan.limits.keepAliveCount))
        bytes.appendOptional(plan.addressFamily) { $0.appendBool($1 == .ipv6) }
        switch plan.route {
        case .direct: bytes.append(0)
        case .jump(let hop):
            bytes.append(1)
            append(hop, to: &bytes)
        case .proxyCommand(let command):
            bytes.append(2)
            bytes.appendText(command)
        }
    }

    private static func plan(
        _ reader: inout WireReader,
        depth: UInt8,
        connectTimeout: Duration,
        prompter: Prompter?,
        secret: @escaping @Sendable (SecretKey.Purpose, UInt8) async throws(VTError) -> Secret?
    ) -> SSHPlan? {
        guard let name = reader.text(), let endpoint = reader.endpoint(), let user = reader.text(),
            let agentSocket = reader.optional({ $0.text() }), let identities = reader.list({ identity(&$0) }),
            let certificates = reader.list({ $0.text() }), let isLimited = reader.bool(),
            let methods = reader.list({ $0.text().flatMap(AuthenticationMethod.init) }),
            let policy = reader.text().flatMap(HostKeyPolicy.init),
            let lookup = reader.lookup(),
            let algorithms = reader.list({ $0.text() }), let settings = algorithmSettings(&reader),
            let bindAddress = reader.optional({ $0.text() }), let bindInterface = reader.optional({ $0.text() }),
            let keepAlive = reader.duration(),
            let count = reader.uint32(), let isIPv6 = reader.optional({ $0.bool() }), let route = reader.byte()
        else { return nil }
        var credentials = Credentials(
            agentSocket: agentSocket,
            identities: identities,
            passphrase: { () async throws(VTError) in try await secret(.passphrase, depth) },
            password: { () async throws(VTError) in try await secret(.password, depth) }
        )
        credentials.certificates = certificates
        credentials.isLimitedToIdentities = isLimited
        credentials.methods = methods
        var plan = SSHPlan(
            name: name,
            endpoint: endpoint,
            user: user,
            route: .direct,
            credentials: credentials,
            hostKeyPolicy: policy,
            hostKeyLookup: lookup,
            allowedAlgorithms: algorithms,
            limits: ConnectionLimits(
                connectTimeout: connectTimeout,
                keepAliveInterval: keepAlive,
                keepAliveCount: Int(count)
            )
        )
        plan.algorithms = settings
        plan.bindAddress = bindAddress
        plan.bindInterface = bindInterface
        plan.prompter = prompter
        plan.addressFamily = isIPv6.map { $0 ? .ipv6 : .ipv4 }
        switch route {
        case 0: return plan
        case 1:
            guard depth < 64,
                let hop = Self.plan(
                    &reader,
                    depth: depth + 1,
                    connectTimeout: connectTimeout,
                    prompter: prompter,
                    secret: secret
                )
            else { return nil }
            plan.route = .jump(hop)
            return plan
        case 2:
            guard let command = reader.text() else { return nil }
            plan.route = .proxyCommand(command)
            return plan
        default: return nil
        }
    }

    private static func algorithmSettings(_ reader: inout WireReader) -> [AlgorithmKind: String]? {
        var settings: [AlgorithmKind: String] = [:]
        for kind in AlgorithmKind.allCases {
            guard let setting = reader.optional({ $0.text() }) else { return nil }
            settings[kind] = setting
        }
        return settings
    }

    private static func identity(_ reader: inout WireReader) -> Credentials.Identity? {
        guard let path = reader.text(), let isRequired = reader.bool() else { return nil }
        return Credentials.Identity(path: path, isRequired: isRequired)
    }
}
