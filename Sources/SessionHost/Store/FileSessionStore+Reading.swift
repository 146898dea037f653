import Core
import Glibc
import Runtime
import System

/// Reads session data without contacting the holders.
extension FileSessionStore {
    package func names() throws(VTError) -> [String] {
        try Array(directory.names.all().values)
    }

    package func sessions(_ diagnostics: any Diagnostics) throws(VTError) -> [Session] {
        var records: [Session] = []
        for id in try directory.ids() {
            do throws(VTError) {
                if let record = try directory.record(of: id) { records.append(record) }
            } catch {
                diagnostics.note("skipped session \(id.text): \(error.message)")
            }
        }
        return records.sorted { ($0.createdAt, $0.id.text) < ($1.createdAt, $1.id.text) }
    }

    package func session(_ nameOrID: String) throws(VTError) -> Session {
        if let id = SessionID(nameOrID), let record = try directory.record(of: id) { return record }
        if let id = directory.names.id(of: nameOrID), let record = try directory.record(of: id),
            record.name == nameOrID
        {
            return record
        }
        throw VTError(.notFound, "no such session: '\(nameOrID)'", hint: try hint(for: nameOrID))
    }

    package func hook(for shell: String, in id: SessionID) throws(VTError) -> String? {
        guard let kind = ShellKind(rawValue: shell), let program = try directory.record(of: id)?.program,
            getsid(0) == program.processID, let hook = ShellHook(of: directory.files(of: id))
        else { return nil }
        return try hook.nested(kind)
    }

    package func log(of id: SessionID) throws(VTError) -> any SessionLog {
        guard let record = try directory.record(of: id) else {
            throw VTError(.notFound, "no such session: \(id.text)")
        }
        return try FileSessionLog(
            directory.files(of: id),
            of: record.name,
            limitBytes: record.logLimitBytes,
            recordedFirst: record.firstOffset
        )
    }

    package func state(ofRequest id: String, to session: SessionID) throws(VTError) -> RequestState {
        let files = directory.files(of: session)
        let state = RequestLog.state(of: Array(id.utf8.prefix(SessionFrame.tokenBytes)), in: files.requests)
        guard state == .unseen, try directory.record(of: session) == nil else { return state }
        throw VTError(.notFound, "no such session: \(session.text)")
    }

    package func changes(of id: SessionID) throws(VTError) -> any SessionLogChanges {
        TimelineChanges(file: try FileChanges(of: directory.files(of: id).events))
    }

    package func startChanges(of id: SessionID) throws(VTError) -> any SessionLogChanges {
        let path = directory.files(of: id).directory
        do throws(VTError) {
            return StartChanges(directory: try DirectoryChanges(of: path), clock: clock)
        } catch {
            // The system limits the number of watches; without a watch, the state is polled.
            guard error.code != .notFound else { throw error }
            return StartChanges(directory: nil, clock: clock)
        }
    }

    private func hint(for name: String) throws(VTError) -> String {
        let names = try directory.names.all().values.sorted()
        return Suggestion.nearest(to: name, among: names).map { "did you mean '\($0)'?" } ?? "vt sessions list"
    }
}

/// Watches the timeline: the holder adds a line to it for all output, and keeps it open while it runs.
private struct TimelineChanges: SessionLogChanges {
    let file: FileChanges

    func next() async throws(VTError) -> Bool {
        try await file.next()
    }
}

/// Watches for the success or failure of a start: the record is replaced, the lock is closed or the directory is
/// removed.
private struct StartChanges: SessionLogChanges {
    /// The session's directory; nil if it cannot be watched.
    let directory: DirectoryChanges?
    let clock: any Clock<Duration>

    /// The maximum time between two checks.
    ///
    /// Linux reports the close of a lock file just before it releases the lock (`__fput`), so a check in between finds
    /// the lock held, and no other event follows.
    private static let longestWait = Duration.seconds(1)
    private static let unwatchedWait = Duration.milliseconds(20)

    func next() async throws(VTError) -> Bool {
        if let directory {
            try await directory.next(within: Self.longestWait)
            return true
        }
        try await clock.pause(for: Self.unwatchedWait)
        return true
    }
}
