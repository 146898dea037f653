import Glibc

/// All processes on the machine at one point in time.
struct ProcessSnapshot {
    let entries: [ProcessEntry]
    let children: [pid_t: [ProcessEntry]]
    /// The session IDs in the processes' environments, by PID; empty unless requested.
    let marks: [pid_t: String]

    /// With `readsMarks`, also reads the environments of all processes for which that is permitted.
    init(readsMarks: Bool) {
        entries = ProcessEntry.all()
        children = Dictionary(grouping: entries, by: \.parent)
        var marks: [pid_t: String] = [:]
        if readsMarks {
            for entry in entries { marks[entry.processID] = entry.variable(SessionProcesses.programVariable) }
        }
        self.marks = marks
    }
}
