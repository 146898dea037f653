import Core
import Glibc
import System

/// Kills sessions whose holders do not respond.
extension FileSessionStore {
    package func killWithoutHolder(
        _ id: SessionID,
        signal: SignalName?,
        grace: Duration,
        keepsPause: Bool
    ) async throws(VTError) -> [String] {
        let record = try directory.existingRecord(of: id)
        let files = directory.files(of: id)
        return try await onOwnThread { () throws(VTError) in
            let holder = Self.holder(of: record)
            let processes = Self.processes(of: record, holder: holder)
            if let signal {
                if let number = signal.number { for entry in processes.living() { entry.signal(number) } }
                return []
            }
            let milliseconds = UInt32(clamping: grace.wholeMilliseconds)
            let survivors = KillRun.end(processes, graceMilliseconds: milliseconds).map(\.text)
            if !keepsPause { files.removePause() }
            // The holder is killed last, because its descendants could not be found without it.
            holder?.signal(SIGKILL)
            guard try Self.recordLoss(in: files) else { return survivors + [holder.map(\.text) ?? "its holder"] }
            return survivors
        }
    }

    package func remains(of sessions: [Session]) -> [SessionID: [String]] {
        let lost = sessions.filter { $0.state == .lost }
        guard !lost.isEmpty else { return [:] }
        let snapshot = SessionProcesses.Snapshot(readsMarks: true)
        var remains: [SessionID: [String]] = [:]
        for record in lost {
            let left = Self.processes(of: record, holder: nil).living(in: snapshot)
            if !left.isEmpty { remains[record.id] = left.map(\.text) }
        }
        return remains
    }

    /// Kills the program that a holder may have started before it was killed itself; returns the error of the failed
    /// start.
    ///
    /// A program never runs before it is recorded. If a process survives, the session must be kept, because without it
    /// the process could not be found.
    func endProgram(of id: SessionID, after failure: VTError) -> (failure: VTError, hasSurvivors: Bool) {
        let path = directory.files(of: id).record
        guard let json = FileContents.readSmall(path), let record = try? Session(json: json, source: "'\(path)'"),
            record.state.isLive, let program = record.program
        else { return (failure, false) }
        let survivors = KillRun.end(SessionProcesses(leader: program.processID, marker: id))
        var failure = failure
        guard !survivors.isEmpty else {
            failure.message += "; the program may have run until it was killed"
            return (failure, false)
        }
        failure.message += "; its processes did not end: \(survivors.map(\.text).joined(separator: ", "))"
        failure.hint = "to end them, use 'vt sessions kill \(record.name)'"
        return (failure, true)
    }

    /// Records that a session is lost, or paused if it can be resumed, unless its holder recorded its end; returns false
    /// if the holder is still running.
    static func recordLoss(in files: SessionFiles) throws(VTError) -> Bool {
        // Without a record or lock, there is nothing to correct.
        guard let json = FileContents.readSmall(files.record), unsafe access(files.lock, F_OK) == 0 else { return true }
        guard let lock = try FileLock.acquire(files.lock, O_RDWR, timeout: .seconds(2)) else { return false }
        var record = try Session(json: FileContents.readSmall(files.record) ?? json, source: "'\(files.record)'")
        guard record.state.isLive else { return true }
        if unsafe access(files.paused, F_OK) == 0 {
            (record.state, record.program, record.clients) = (.paused, nil, nil)
        } else {
            (record.state, record.endedAt, record.clients) = (.lost, .now(), nil)
        }
        try FileContents.replace(files.record, with: record.json)
        _ = lock.number
        return true
    }

    static func processes(of record: Session, holder: ProcessEntry?) -> SessionProcesses {
        let leader = living(record.program, of: record)?.processID
        return SessionProcesses(leader: leader, holder: holder?.processID, marker: record.id)
    }

    static func holder(of record: Session) -> ProcessEntry? {
        living(record.holder, of: record)
    }

    /// The process, if its PID still refers to it; PIDs and start times from another boot are invalid.
    private static func living(_ process: SessionProcess?, of record: Session) -> ProcessEntry? {
        guard let process, record.bootID == SessionDirectory.bootID(), let entry = ProcessEntry(process.processID),
            entry.startTicks == process.startTicks
        else { return nil }
        return entry
    }
}
