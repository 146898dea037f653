import Core

extension ConnectionPlan {
    /// The far end as a target on the command line: its name, or `USER@HOST[:PORT]` for a server without a profile.
    package var target: String {
        guard case .ssh(let plan) = self, plan.profileName == nil else { return name }
        return "\(plan.user)@\(plan.endpoint.shortText)"
    }
}
