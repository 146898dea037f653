import Core
import Glibc

/// All processes of the machine at one time.
struct ProcessSnapshot {
    let entries: [ProcessEntry]
    let children: [pid_t: [ProcessEntry]]
    /// The ids of the sessions that programs carry in their environment, by process; empty unless asked for.
    let marks: [pid_t: String]

    /// `readsMarks`: also reads the environment of all processes that may be read.
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
