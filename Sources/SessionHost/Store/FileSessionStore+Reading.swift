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
        // Records are large, so that only their places are moved.
        return records.indices.sorted {
            (records[$0].createdAt, records[$0].id.text) < (records[$1].createdAt, records[$1].id.text)
        }.map { records[$0] }
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
        try FileSessionLog(directory.files(of: id), of: directory.existingRecord(of: id))
    }

    package func state(ofRequest id: String, to session: SessionID) throws(VTError) -> RequestState {
        let files = directory.files(of: session)
        let state = RequestLog.state(of: Array(id.utf8.prefix(SessionFrame.tokenBytes)), in: files.requests)
        if state == .unseen { _ = try directory.existingRecord(of: session) }
        return state
    }

    package func changes(of id: SessionID) throws(VTError) -> SessionLogChanges {
        // The holder adds a line to the timeline for all output, and keeps it open while it runs.
        let file = try FileChanges(of: directory.files(of: id).events)
        return { () async throws(VTError) in try await file.next() }
    }

    /// Watches the directory, because a start replaces the record, closes the lock or removes the directory.
    package func startChanges(of id: SessionID) throws(VTError) -> SessionLogChanges {
        let changes: DirectoryChanges?
        do throws(VTError) {
            changes = try DirectoryChanges(of: directory.files(of: id).directory)
        } catch {
            // The system limits the number of watches; without a watch, the state is polled.
            guard error.code != .notFound else { throw error }
            changes = nil
        }
        return { [clock] () async throws(VTError) in
            if let changes {
                try await changes.next(within: Self.longestWait)
            } else {
                try await clock.pause(for: Self.unwatchedWait)
            }
            return true
        }
    }

    /// The maximum time between two checks of a start.
    ///
    /// Linux reports the close of a lock file just before it releases the lock (`__fput`), so a check in between finds
    /// the lock held, and no other event follows.
    private static let longestWait = Duration.seconds(1)
    private static let unwatchedWait = Duration.milliseconds(20)

    private func hint(for name: String) throws(VTError) -> String {
        let names = try directory.names.all().values.sorted()
        return Suggestion.nearest(to: name, among: names).map { "did you mean '\($0)'?" }
            ?? "to list the sessions, use 'vt sessions list'"
    }
}
