import Core

/// Changes to a profile: a field that is nil is left unchanged, and a list replaces the profile's whole list.
package struct ProfileEdit: Sendable {
    package var destination: Destination?
    package var user: String?
    package var port: UInt16?
    package var identities: [String]?
    package var agent: Bool?
    package var password: SecretSource?
    package var passphrase: SecretSource?
    package var secretStore: SecretStoreKind?
    /// Setting a jump host removes the proxy command.
    package var jump: String?
    /// Setting a proxy command removes the jump host.
    package var proxyCommand: String?
    /// Setting a program removes everything that belongs to an SSH connection; setting a destination removes the
    /// program.
    package var via: ViaCommand?
    package var hostKeyPolicy: HostKeyPolicy?
    package var knownHosts: String?
    package var allowedAlgorithms: [String]?
    package var connectTimeout: Duration?
    package var keepAlive: Duration?
    package var keepAliveCount: Int?
    /// How long to keep an unused connection for other commands; zero disables sharing.
    package var share: Duration?
    package var cwd: String?
    package var environment: [EnvironmentVariable]?
    package var shell: String?
    package var tags: [String]?
    package var note: String?
    /// Fields to reset to their defaults before the other changes are applied.
    package var unset: Set<Field> = []

    /// The fields that can be reset, named like the options that set them.
    package enum Field: String, CaseIterable, Hashable, Sendable {
        case user, port, identity, agent, password, passphrase, jump
        case proxyCommand = "proxy-command"
        case via
        case hostKey = "host-key"
        case knownHosts = "known-hosts"
        case allowAlgorithm = "allow-algorithm"
        case connectTimeout = "connect-timeout"
        case keepAlive = "keep-alive"
        case keepAliveCount = "keep-alive-count"
        case share, cwd, env, shell, tag, note
    }

    package init() {}

    /// Applies the edit, except for new secret sources and the secret store.
    func apply(to profile: inout Profile) {
        for field in unset { Self.reset(field, in: &profile) }
        applyAddress(to: &profile)
        applyConnection(to: &profile)
        if let cwd { profile.cwd = cwd }
        if let environment {
            profile.environment = Dictionary(environment.map { ($0.name, $0.value) }) { _, last in last }
        }
        if let shell { profile.shell = shell }
        if let tags { profile.tags = tags.withoutRepetition }
        if let note { profile.note = note }
    }

    /// The first property in the edit that applies only to SSH connections, as a noun; nil if there is none.
    var sshProperty: String? {
        let given: [(String, Bool)] = [
            ("user", user != nil), ("port", port != nil), ("identity", identities != nil), ("agent", agent != nil),
            ("password", password != nil), ("passphrase", passphrase != nil), ("secret store", secretStore != nil),
            ("jump host", jump != nil), ("proxy command", proxyCommand != nil),
            ("host key policy", hostKeyPolicy != nil), ("known_hosts file", knownHosts != nil),
            ("algorithms", allowedAlgorithms != nil), ("keep-alive", keepAlive != nil || keepAliveCount != nil),
            ("connection sharing", share != nil),
        ]
        return given.first { $0.1 }?.0
    }

    /// The fields that apply only to SSH connections.
    private static let sshFields: [Field] = [
        .user, .port, .identity, .agent, .password, .passphrase, .jump, .proxyCommand, .hostKey, .knownHosts,
        .allowAlgorithm, .keepAlive, .keepAliveCount, .share,
    ]

    private func applyAddress(to profile: inout Profile) {
        if let via {
            for field in Self.sshFields { Self.reset(field, in: &profile) }
            (profile.host, profile.via) = ("", via)
        }
        if let destination {
            profile.via = nil
            profile.host = destination.host
            if let user = destination.user { profile.user = user }
            if let port = destination.port { profile.port = port }
        }
        if let user { profile.user = user }
        if let port { profile.port = port }
        if let jump { (profile.jump, profile.proxyCommand) = (jump, nil) }
        if let proxyCommand { (profile.jump, profile.proxyCommand) = (nil, proxyCommand) }
    }

    private func applyConnection(to profile: inout Profile) {
        if let identities { profile.identities = identities.withoutRepetition }
        if let agent { profile.agent = agent }
        if let hostKeyPolicy { profile.hostKeyPolicy = hostKeyPolicy }
        if let knownHosts { profile.knownHosts = knownHosts }
        if let allowedAlgorithms { profile.allowedAlgorithms = allowedAlgorithms.withoutRepetition }
        if let connectTimeout { profile.connectTimeout = connectTimeout }
        if let keepAlive { profile.keepAlive = keepAlive }
        if let keepAliveCount { profile.keepAliveCount = keepAliveCount }
        if let share { profile.share = share }
    }

    private static func reset(_ field: Field, in profile: inout Profile) {
        switch field {
        case .user: profile.user = nil
        case .port: profile.port = Endpoint.standardPort
        case .identity: profile.identities = []
        case .agent: profile.agent = true
        case .password: profile.password = .none
        case .passphrase: profile.passphrase = .none
        case .jump: profile.jump = nil
        case .proxyCommand: profile.proxyCommand = nil
        case .via: profile.via = nil
        case .hostKey: profile.hostKeyPolicy = .acceptNew
        case .knownHosts: profile.knownHosts = nil
        case .allowAlgorithm: profile.allowedAlgorithms = []
        case .connectTimeout: profile.connectTimeout = nil
        case .keepAlive: profile.keepAlive = nil
        case .keepAliveCount: profile.keepAliveCount = nil
        case .share: profile.share = nil
        case .cwd: profile.cwd = nil
        case .env: profile.environment = [:]
        case .shell: profile.shell = nil
        case .tag: profile.tags = []
        case .note: profile.note = nil
        }
    }
}
