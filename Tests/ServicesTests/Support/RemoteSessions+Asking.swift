import Core
import CoreTestSupport
import Services

extension RemoteSessions {
    /// The sessions of a server that `far` simulates.
    static func asking(_ far: FakeRemoteVT, profile: Profile? = nil, clock: any Clock<Duration> = ContinuousClock())
        -> RemoteSessions
    {
        let notes = RecordedNotes()
        return RemoteSessions(
            plan: .ssh(.sample("p")),
            profile: profile,
            remote: RemoteVT(connector: far, failures: UsageFailures(), clock: ContinuousClock(), diagnostics: notes),
            cache: NoCache(),
            clock: clock,
            diagnostics: notes
        )
    }
}

private struct UsageFailures: FailureReader {
    /// Reports every error as incorrect usage.
    func failure(in line: [UInt8]) -> ReportedFailure? {
        line.isEmpty ? nil : ReportedFailure(error: VTError(.usage, String(decoding: line, as: UTF8.self)), exit: 64)
    }
}

private struct NoCache: SessionNameCache {
    func names() -> [String: [String]] { [:] }

    func remember(_ names: [String], of profile: String) {}
}
