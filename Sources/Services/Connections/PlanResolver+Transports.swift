import Core
import Storage

/// The plans for profiles with other transports than SSH.
extension PlanResolver {
    /// The file of authorities of a profile, if it does not exist.
    package func missingAuthorities(of profile: Profile) -> String? {
        profile.authorities.flatMap { isMissing($0) ? $0 : nil }
    }

    /// The plan for a profile with a link.
    func plan(for profile: Profile, linkedTo address: HTTPAddress, options: HostSettings) -> LinkPlan {
        let secrets = secrets
        return LinkPlan(
            name: profile.name,
            address: address,
            authorities: profile.authorities.map(absolute),
            connectTimeout: options.completed(by: profile).limits.connectTimeout
        ) { () async throws(VTError) in
            if let token = try await secrets.secret(.password, from: profile.password, of: profile) { return token }
            throw VTError(
                .config,
                "profile '\(profile.name)' has no token",
                hint: "to use another link, pipe it to 'vt profile edit \(profile.name) --link-stdin'"
            )
        }
    }

    /// The plan for a profile with the URL of a VibeTunnel server.
    func plan(for profile: Profile, at address: HTTPAddress, options: HostSettings) throws(VTError) -> VibeTunnelPlan {
        let secrets = secrets
        let tokens = tokens(options, to: address.endpoint, user: profile.user ?? "", name: profile.name)
        return VibeTunnelPlan(
            name: profile.name,
            address: address,
            user: profile.user,
            credentials: try credentials(of: profile, options.completed(by: profile), tokens),
            savedToken: { () async throws(VTError) in try await secrets.login(of: profile) },
            saveToken: { token async throws(VTError) in try await secrets.storeLogin(token, of: profile) },
            authorities: profile.authorities.map(absolute),
            connectTimeout: options.completed(by: profile).limits.connectTimeout
        )
    }
}
