import Core
import Glibc

/// Ends sessions whose holders do not answer.
extension FileSessionHost {
    package func killWithoutHolder(
        _ id: SessionID,
        signal: SignalName?,
        grace: Duration
    ) async throws(VTError) -> [String] {
        guard let record = try directory.record(of: id) else {
            throw VTError(.notFound, "there is no session \(id.text)")
        }
        return try await onOwnThread { () throws(VTError) in
            Self.end(record, signal: signal, grace: grace)
        }
    }

    private static func end(_ record: SessionRecord, signal: SignalName?, grace: Duration) -> [String] {
        let holder = record.holder.flatMap(living)
        let processes = SessionProcesses(
            leader: record.program.flatMap(living)?.processID,
            holder: holder?.processID,
            marker: record.id
        )
        if let number = signal?.number {
            for entry in processes.living() { entry.signal(number) }
            return []
        }
        var survivors: [ProcessEntry]?
        var run = KillRun(
            processes,
            graceMilliseconds: UInt32(clamping: grace.wholeMilliseconds),
            now: HolderClock.now()
        )
        while survivors == nil {
            usleep(UInt32(clamping: max(0, run.nextStep - HolderClock.now())))
            survivors = run.step(now: HolderClock.now())
        }
        // Only now: its descendants could not be found without it.
        holder?.signal(SIGKILL)
        return (survivors ?? []).map(\.text)
    }

    /// The process, if its number still stands for it.
    private static func living(_ process: SessionProcess) -> ProcessEntry? {
        guard let entry = ProcessEntry(process.processID), entry.startTicks == process.startTicks else { return nil }
        return entry
    }
}
