import Core
import Storage

extension PlanResolver {
    /// The file of authorities of a profile, if it does not exist.
    package func missingAuthorities(of profile: Profile) -> String? {
        profile.authorities.flatMap { isMissing($0) ? $0 : nil }
    }

    /// The plan for a profile with the URL of a VibeTunnel server.
    ///
    /// - Throws: `usage` for options that apply only to SSH.
    func plan(
        for profile: Profile,
        at address: HTTPAddress,
        options: PlanOptions
    ) throws(VTError) -> VibeTunnelPlan {
        if let property = options.sshProperty { throw ProfileRules.isInapplicable(property, to: profile) }
        let secrets = secrets
        let tokens = tokens(options, to: address.endpoint, user: profile.user ?? "", name: profile.name)
        return VibeTunnelPlan(
            name: profile.name,
            address: address,
            user: profile.user,
            credentials: try credentials(of: profile, options: options, tokens: tokens),
            savedToken: { () async throws(VTError) in try await secrets.login(of: profile) },
            saveToken: { token async throws(VTError) in try await secrets.storeLogin(token, of: profile) },
            authorities: profile.authorities.map(absolute),
            connectTimeout: options.connectTimeout ?? profile.connectTimeout ?? ConnectionLimits.standard.connectTimeout
        )
    }
}
