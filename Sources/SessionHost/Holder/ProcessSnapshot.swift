import Core
import Glibc
import System

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

/// Finds the children of a process without listing all processes.
enum ProcessChildren {
    /// Whether the kernel reports children (CONFIG_PROC_CHILDREN, proc_tid_children(5)).
    static let areReported = unsafe access("/proc/thread-self/children", R_OK) == 0

    /// The children of all threads of a process, including those that have exited but have not been reaped.
    ///
    /// If a child exits during the call, other children can be missing, so repeat the call to find all of them.
    static func of(_ process: pid_t) -> [pid_t] {
        let tasks = "/proc/\(process)/task"
        // A process that has exited has no children.
        let threads = (try? DirectoryListing.names(in: tasks)) ?? []
        return threads.flatMap { thread in
            (SmallFile.read("\(tasks)/\(thread)/children") ?? []).split(separator: UInt8(ascii: " ")).compactMap {
                pid_t(String(decoding: $0, as: UTF8.self))
            }
        }
    }
}
