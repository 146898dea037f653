import Core
import Glibc

/// Finds the children of a process without listing all processes.
enum ProcessChildren {
    /// Whether the kernel reports children (CONFIG_PROC_CHILDREN, proc_pid_task_children(5)).
    static let areReported = unsafe access("/proc/thread-self/children", R_OK) == 0

    /// The children of all threads of a process, including those that have exited but have not been reaped.
    ///
    /// If a child forks or exits meanwhile, others can be missing, so repeat the call to find all of them.
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
