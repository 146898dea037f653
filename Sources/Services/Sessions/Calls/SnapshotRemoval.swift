import Core

/// Removes snapshots, given by name or ID, and returns them.
package struct SnapshotRemoval: SessionVerb {
    package let callName = "remove_snapshots"
    package var snapshots: [String]

    package init(_ snapshots: [String]) {
        self.snapshots = snapshots
    }

    package static let arguments: JSONTable<Self> = [.member("snapshots", \.snapshots, usual: [])]

    package var role: PageRole { .owner }
    package var isShort: Bool { false }
    package var workLimit: Duration? { nil }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await answer.send(try await sessions.removeSnapshots(snapshots, of: session))
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> [Snapshot] { try result.documents() }
}
