import Core

/// The encoding of a connection plan without its secrets and timeouts, which identifies a shared connection.
///
/// Two commands share a connection only if their plans are encoded identically: same server, user, route, credentials,
/// host key policy and keep-alives, and the same version of vt.
enum PlanCoding {
    /// The maximum number of jump hosts in a plan that is read.
    private static let hopLimit = 64

    /// Returns the encoding; `context` identifies what else the connection depends on: the version of vt, the machine,
    /// its namespaces and the directories in use.
    ///
    /// A program can read any variable, so commands share its connection only if they have the same environment.
    static func encode(_ plan: SSHPlan, context: String, environment: [ByteString]) -> [UInt8] {
        WireCoder.bytes { wire throws(WireCoder.Malformed) in
            _ = try wire.code(context)
            _ = try code(plan, &wire)
            if runsProgram(plan) {
                _ = try wire.code(environment.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) })
            }
        }
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
        let plan = WireCoder.value(from: bytes[...]) { wire throws(WireCoder.Malformed) in
            _ = try wire.code(String?.none)
            let plan = try code(nil, &wire)
            if runsProgram(plan) { _ = try wire.code([ByteString]?.none) }
            return plan
        }
        func complete(_ plan: SSHPlan, depth: UInt8) -> SSHPlan {
            var plan = plan
            plan.limits.connectTimeout = connectTimeout
            plan.prompter = prompter
            plan.credentials.passphrase = { () async throws(VTError) in try await secret(.passphrase, depth) }
            plan.credentials.password = { () async throws(VTError) in try await secret(.password, depth) }
            if case .jump(let hop) = plan.route { plan.route = .jump(complete(hop, depth: depth + 1)) }
            return plan
        }
        return plan.map { complete($0, depth: 0) }
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

    private static func code(
        _ plan: SSHPlan?,
        depth: Int = 0,
        _ wire: inout WireCoder
    ) throws(WireCoder.Malformed) -> SSHPlan {
        var coded = SSHPlan(
            name: try wire.code(plan?.name),
            endpoint: try wire.code(plan?.endpoint),
            user: try wire.code(plan?.user),
            route: .direct,
            credentials: try wire.code(plan?.credentials),
            hostKeyPolicy: try wire.code(plan?.hostKeyPolicy),
            hostKeyLookup: try wire.code(plan?.hostKeyLookup),
            allowedAlgorithms: try wire.code(plan?.allowedAlgorithms),
            limits: ConnectionLimits(connectTimeout: .zero, keepAliveInterval: .zero, keepAliveCount: 0)
        )
        for kind in AlgorithmKind.allCases { coded.algorithms[kind] = try wire.optional(plan?.algorithms[kind]) }
        coded.bindAddress = try wire.optional(plan?.bindAddress)
        coded.bindInterface = try wire.optional(plan?.bindInterface)
        coded.limits.keepAliveInterval = try wire.code(plan?.limits.keepAliveInterval)
        coded.limits.keepAliveCount = Int(try wire.code(plan.map { UInt32(clamping: $0.limits.keepAliveCount) }))
        coded.addressFamily = try wire.optional(plan?.addressFamily.map { $0 == .ipv6 }).map { $0 ? .ipv6 : .ipv4 }
        coded.route = try route(of: plan, depth: depth, &wire)
        return coded
    }

    private static func route(
        of plan: SSHPlan?,
        depth: Int,
        _ wire: inout WireCoder
    ) throws(WireCoder.Malformed) -> SSHPlan.Route {
        let (number, command): (UInt8?, String?) =
            switch plan?.route {
            case nil: (nil, nil)
            case .direct: (0, nil)
            case .jump: (1, nil)
            case .proxyCommand(let command): (2, command)
            }
        switch try wire.code(number) {
        case 0: return .direct
        case 1 where plan != nil || depth < hopLimit:
            return .jump(try code(plan?.hops.last, depth: depth + 1, &wire))
        case 2: return .proxyCommand(try wire.code(command))
        default: throw WireCoder.Malformed()
        }
    }
}

extension Credentials: WireValue {
    package static func code(_ credentials: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        var coded = Self(
            agentSocket: try wire.optional(credentials?.agentSocket),
            identities: try wire.code(credentials?.identities),
            passphrase: { nil },
            password: { nil }
        )
        coded.certificates = try wire.code(credentials?.certificates)
        coded.isLimitedToIdentities = try wire.code(credentials?.isLimitedToIdentities)
        coded.methods = try wire.code(credentials?.methods)
        return coded
    }
}

extension Credentials.Identity: WireValue {
    package static func code(_ identity: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        Self(path: try wire.code(identity?.path), isRequired: try wire.code(identity?.isRequired))
    }
}

extension AuthenticationMethod: WireValue {}
extension HostKeyPolicy: WireValue {}

extension HostKeyLookup: WireValue {
    package static func code(_ lookup: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        var coded = Self()
        coded.userFiles = try wire.optional(lookup?.userFiles)
        coded.globalFiles = try wire.optional(lookup?.globalFiles)
        coded.additionalFile = try wire.optional(lookup?.additionalFile)
        coded.alias = try wire.optional(lookup?.alias)
        coded.hashesNames = try wire.code(lookup?.hashesNames)
        coded.revokedKeys = try wire.optional(lookup?.revokedKeys)
        coded.command = try wire.code(lookup?.command)
        coded.checksAddress = try wire.code(lookup?.checksAddress)
        coded.minimumRSABits = try wire.optional(lookup?.minimumRSABits.map { UInt32(clamping: $0) }).map { Int($0) }
        return coded
    }
}
