import Core
import Services

extension RemoteSessions {
    /// The sessions of a server that this vt answers for.
    static func asking(_ far: FakeFarVT, profile: Profile? = nil) -> RemoteSessions {
        let notes = RecordedNotes()
        return RemoteSessions(
            plan: ConnectionPlan(
                name: "p",
                endpoint: Endpoint(host: "p.example", port: 22),
                user: "ann",
                route: .direct,
                credentials: Credentials(
                    agentSocket: nil,
                    identities: [],
                    passphrase: { () async throws(VTError) in nil },
                    password: { () async throws(VTError) in nil }
                ),
                hostKeyPolicy: .acceptNew,
                knownHosts: nil,
                allowedAlgorithms: [],
                limits: .standard
            ),
            profile: profile,
            remote: RemoteVT(connector: far, failures: NoFailures(), clock: ContinuousClock(), diagnostics: notes),
            cache: NoCache(),
            clock: ContinuousClock(),
            diagnostics: notes
        )
    }
}

private struct NoFailures: FailureReader {
    func failure(in line: [UInt8]) -> ToldFailure? { nil }
}

private struct NoCache: SessionNameCache {
    func names() -> [String: [String]] { [:] }

    func remember(_ names: [String], of profile: String) {}
}
