extension HostSettings {
    /// Returns the settings, with those that are not given taken from a profile, except its secrets, its route and its
    /// timeout for sharing, which other settings replace in their own ways.
    package func completed(by profile: Profile) -> HostSettings {
        var own = HostSettings()
        own.hostName = profile.host
        own.port = profile.port
        own.user = profile.user
        // Keys replace those of the profile.
        if identities == nil, keyFiles == nil { own.keyFiles = profile.identities }
        own.usesAgent = profile.agent
        own.hostKeyPolicy = profile.hostKeyPolicy
        own.knownHosts = profile.knownHosts
        own.allowedAlgorithms = profile.allowedAlgorithms
        own.connectTimeout = profile.connectTimeout
        own.keepAliveInterval = profile.keepAlive
        own.keepAliveCount = profile.keepAliveCount
        var given = self
        // The policy can only be made stricter.
        if profile.hostKeyPolicy != .acceptNew { given.hostKeyPolicy = nil }
        return given.completed(by: own)
    }

    /// The first setting of a profile that the settings replace, as a noun; nil if there is none.
    package func replacedSetting(of profile: Profile) -> String? {
        func replaces<Value: Equatable>(_ given: Value?, _ own: Value?) -> Bool {
            given != nil && own != nil && given != own
        }
        let keys = (identities ?? []) + (keyFiles ?? [])
        let own: [(String, Bool)] = [
            ("host", replaces(hostName, profile.host)), ("port", replaces(port, profile.port)),
            ("user", replaces(user, profile.user)),
            ("identity", !keys.isEmpty && !profile.identities.isEmpty && keys != profile.identities),
            ("agent", replaces(usesAgent, profile.agent)),
            ("password", password != nil && profile.password != .none && password != profile.password),
            ("passphrase", passphrase != nil && profile.passphrase != .none && passphrase != profile.passphrase),
            ("known_hosts file", (knownHosts != nil || userKnownHosts != nil) && profile.knownHosts != nil),
            ("jump host or proxy command", route != nil && (profile.jump != nil || profile.proxyCommand != nil)),
            ("keep-alive", replaces(keepAliveInterval, profile.keepAlive)),
            ("keep-alive count", replaces(keepAliveCount, profile.keepAliveCount)),
        ]
        return own.first { $0.1 }?.0
    }

    /// The timeouts of a connection with these settings.
    package var limits: ConnectionLimits {
        let standard = ConnectionLimits.standard
        return ConnectionLimits(
            connectTimeout: connectTimeout ?? standard.connectTimeout,
            keepAliveInterval: keepAliveInterval ?? standard.keepAliveInterval,
            keepAliveCount: keepAliveCount ?? standard.keepAliveCount
        )
    }
}
