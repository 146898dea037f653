import Core
import Glibc

/// The children of single processes, without a look at all there are.
enum ProcessChildren {
    /// Whether the system tells them: CONFIG_PROC_CHILDREN, proc_pid_task_children(5).
    static let areTold = unsafe access("/proc/thread-self/children", R_OK) == 0

    /// The children of all threads of a process; those that have ended count until they are reaped.
    ///
    /// One that has a child or ends meanwhile may hide others: whoever must have all looks again.
    static func of(_ process: pid_t) -> [pid_t] {
        let tasks = "/proc/\(process)/task"
        // A process that has ended has no children any more.
        let threads = (try? DirectoryListing.names(in: tasks)) ?? []
        return threads.flatMap { thread in
            (SmallFile.read("\(tasks)/\(thread)/children") ?? []).split(separator: UInt8(ascii: " ")).compactMap {
                pid_t(String(decoding: $0, as: UTF8.self))
            }
        }
    }
}
