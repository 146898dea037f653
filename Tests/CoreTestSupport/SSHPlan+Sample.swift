import Core

extension SSHPlan {
    /// A plan for `ann@NAME` without secrets.
    package static func sample(_ name: String) -> SSHPlan {
        SSHPlan(
            name: name,
            endpoint: Endpoint(host: "\(name).example"),
            user: "ann",
            route: .direct,
            credentials: Credentials(agentSocket: nil, identities: [], passphrase: { nil }, password: { nil }),
            hostKeyPolicy: .acceptNew,
            allowedAlgorithms: [],
            limits: .standard
        )
    }
}
