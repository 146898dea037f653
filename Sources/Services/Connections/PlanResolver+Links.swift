import Core
import Storage

extension PlanResolver {
    /// The plan for a profile with a link.
    ///
    /// - Throws: `usage` for options that apply only to SSH.
    func plan(
        for profile: Profile,
        linkedTo address: HTTPAddress,
        options: PlanOptions
    ) throws(VTError) -> LinkPlan {
        if let property = options.sshProperty { throw ProfileRules.isInapplicable(property, to: profile) }
        let secrets = secrets
        return LinkPlan(
            name: profile.name,
            address: address,
            authorities: profile.authorities.map(absolute),
            connectTimeout: limits(of: profile, options: options).connectTimeout
        ) { () async throws(VTError) in
            if let token = try await secrets.secret(.password, from: profile.password, of: profile) { return token }
            throw VTError(
                .config,
                "profile '\(profile.name)' has no token",
                hint: "to use another link, pipe it to 'vt profile edit \(profile.name) --link-stdin'"
            )
        }
    }
}
