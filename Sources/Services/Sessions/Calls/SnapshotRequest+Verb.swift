import Core

/// Takes a snapshot of the directory tree of a session.
///
/// The errors of this and the following verbs are those of `SnapshotService`.
extension SnapshotRequest: SessionVerb {
    package var callName: String { "snapshot" }

    package static let arguments: JSONTable<Self> = [
        .member("name", \.name),
        .member("path", \.path),
        .member("include_ignored", \.scope.includesIgnored, usual: false),
        .member("excludes", \.scope.excludes, usual: []),
        .member("max_file", \.limits.fileBytes, usual: SnapshotLimits().fileBytes),
        .member("max_size", \.limits.storeBytes, usual: SnapshotLimits().storeBytes),
    ]

    package var role: PageRole { .owner }
    package var isShort: Bool { false }
    package var workLimit: Duration? { nil }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await answer.send([try await sessions.snapshot(self, of: session)])
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> Snapshot { try result.document() }
}

/// Moves the tree of a session back to a snapshot.
///
/// Errors: `busy` unless the session's shell is at its prompt, or the request is forced.
extension RollbackRequest: SessionVerb {
    package var callName: String { "rollback" }

    package static let arguments: JSONTable<Self> = [
        .member("snapshot", \.snapshot),
        .member("dry_run", \.isDryRun, usual: false),
        .member("force", \.isForced, usual: false),
    ]

    package var data: [UInt8] { paths.terminated }

    package mutating func complete(_ data: [UInt8], _ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        paths = [ByteString](terminated: data)
    }

    package var role: PageRole { .owner }
    package var isShort: Bool { false }
    package var workLimit: Duration? { nil }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await answer.send([try await sessions.rollBack(session, self, receiver: answer)])
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> RollbackResult { try result.document() }
}

/// Passes on the differences between two states of a session's tree; returns whether there are any.
extension DiffRequest: SessionVerb {
    package var callName: String { "diff" }

    package static let arguments: JSONTable<Self> = [
        .member("from", \.from),
        .member("to", \.to),
        .member("turn", \.turn),
        .member("format", \.format, usual: .patch),
        .member("color", \.usesColor, usual: false),
    ]

    package var data: [UInt8] { paths.terminated }

    package mutating func complete(_ data: [UInt8], _ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        paths = [ByteString](terminated: data)
    }

    package var role: PageRole { .owner }
    package var isShort: Bool { false }
    package var workLimit: Duration? { nil }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await answer.send("differs", try await sessions.diff(self, of: session, to: answer))
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> Bool { try result.member("differs") ?? false }
}

/// Paths, whose names can be any bytes, in the data of a call.
extension [ByteString] {
    /// Each path, terminated by NUL.
    fileprivate var terminated: [UInt8] { flatMap { $0.bytes + [0] } }

    fileprivate init(terminated bytes: [UInt8]) {
        self = bytes.split(separator: 0).map { ByteString($0) }
    }
}
