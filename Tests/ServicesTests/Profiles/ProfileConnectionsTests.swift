import Core
import CoreTestSupport
import Services
import Synchronization
import Testing

@Suite struct ProfileConnectionsTests {
    private let store: MemoryProfileStore
    private let details = DetailRecorder()

    init() throws {
        store = MemoryProfileStore(
            try .named("web"),
            try .named("db") { $0.lastConnectedAt = Timestamp(seconds: 10_000) },
            try .named("other")
        )
    }

    private func note(_ names: String..., at seconds: Int64) {
        ProfileService(
            profiles: store,
            secrets: MemorySecretStore(),
            now: { Timestamp(seconds: seconds) }
        ).recordConnections(to: names, diagnostics: details)
    }

    @Test func `records a connection at most once per hour`() {
        note("web", "db", "nobody", at: 12_000)
        #expect(store["web"]?.lastConnectedAt == Timestamp(seconds: 12_000))
        #expect(store["db"]?.lastConnectedAt == Timestamp(seconds: 10_000))
        #expect(store["other"]?.lastConnectedAt == nil)
        note("db", at: 13_601)
        #expect(store["db"]?.lastConnectedAt == Timestamp(seconds: 13_601))
    }

    @Test func `a store that cannot be written is reported only as a detail`() {
        store.failure.withLock { $0 = VTError(.cannotCreate, "read-only") }
        note("web", at: 1)
        #expect(details.lines == ["cannot record the time of the connection: read-only"])
    }

    @Test func `does not write to the store if no time needs to be updated`() {
        store.failure.withLock { $0 = VTError(.cannotCreate, "read-only") }
        note("db", "nobody", at: 10_001)
        #expect(details.lines.isEmpty)
    }
}

/// Diagnostics that record details and ignore notes.
private final class DetailRecorder: Diagnostics {
    private let recorded = Mutex<[String]>([])

    var lines: [String] { recorded.withLock { $0 } }

    func note(_ message: String) {}

    func detail(_ message: @autoclosure () -> String) {
        recorded.withLock { $0.append(message()) }
    }
}
