import Core
import Glibc
import System

/// A process as reported by `/proc/PID/stat` (proc_pid_stat(5)).
struct ProcessEntry: Hashable {
    var processID: pid_t
    /// The name of its program, truncated to 15 bytes.
    var name: String
    var parent: pid_t
    var group: pid_t
    var session: pid_t
    /// The start time, in clock ticks since boot.
    var startTicks: UInt64
    /// The letter of the state of its main thread.
    var state: UInt8
    var threadCount: UInt64

    /// Whether it is running or in uninterruptible sleep, usually waiting for a disk.
    var isBusy: Bool { "RD".utf8.contains(state) }

    var identity: SessionProcess {
        SessionProcess(processID: processID, startTicks: startTicks)
    }

    /// The PID and the name, as shown for processes that could not be killed.
    var text: String {
        "\(processID) \(name)"
    }

    /// Returns nil for a process that has exited, whether it has been reaped or not.
    init?(_ processID: pid_t) {
        // A process can exit at any time, so one that cannot be read is treated as gone.
        guard let contents = FileContents.readSmall("/proc/\(processID)/stat"),
            let start = contents.firstIndex(of: UInt8(ascii: "(")), let end = contents.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = contents[(end + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 20)
        guard fields.count > 19, let state = fields[0].first, let threads = Self.number(fields[17]),
            // A process whose main thread has exited looks like a zombie, but its other threads are still running.
            !"ZX".utf8.contains(state) || threads > 1,
            let parent = Self.number(fields[1]), let group = Self.number(fields[2]),
            let session = Self.number(fields[3]), let startTicks = Self.number(fields[19])
        else { return nil }
        self.processID = processID
        name = String(decoding: contents[(start + 1)..<end], as: UTF8.self)
        self.parent = pid_t(truncatingIfNeeded: parent)
        self.group = pid_t(truncatingIfNeeded: group)
        self.session = pid_t(truncatingIfNeeded: session)
        self.startTicks = startTicks
        (self.state, threadCount) = (state, threads)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number &* 10 &+ UInt64(byte - UInt8(ascii: "0"))
        }
        return number
    }

    /// The umask of a process; nil if it cannot be read (proc_pid_status(5)).
    static func creationMask(of processID: pid_t) -> UInt32? {
        let contents = FileContents.readSmall("/proc/\(processID)/status") ?? []
        let line = contents.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: "Umask:".utf8) }
        return line.flatMap { line in
            UInt32(String(decoding: line.dropFirst(6).filter { $0 > UInt8(ascii: " ") }, as: UTF8.self), radix: 8)
        }
    }

    /// All running processes.
    static func all() -> [ProcessEntry] {
        // Without /proc, no processes can be found.
        let names = (try? DirectoryListing.names(in: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.compactMap(ProcessEntry.init)
    }

    /// The value of a variable in the process's initial environment; nil if it is not set or cannot be read.
    func variable(_ name: String) -> String? {
        guard let contents = FileContents.readSmall("/proc/\(processID)/environ") else { return nil }
        let start = Array("\(name)=".utf8)
        let word = contents.split(separator: 0).first { $0.starts(with: start) }
        return word.map { String(decoding: $0.dropFirst(start.count), as: UTF8.self) }
    }

    /// Sends a signal unless the PID has been reused.
    func signal(_ number: CInt) {
        guard ProcessEntry(processID)?.startTicks == startTicks else { return }
        kill(processID, number)
    }

    // MARK: - Children

    /// Whether the kernel reports children (CONFIG_PROC_CHILDREN, proc_tid_children(5)).
    static let reportsChildren = unsafe access("/proc/thread-self/children", R_OK) == 0

    /// The children of all threads of a process, including those that have exited but have not been reaped.
    ///
    /// If a child exits during the call, other children can be missing, so repeat the call to find all of them.
    static func children(of process: pid_t) -> [pid_t] {
        let tasks = "/proc/\(process)/task"
        // A process that has exited has no children.
        let threads = (try? DirectoryListing.names(in: tasks)) ?? []
        return threads.flatMap { thread in
            (FileContents.readSmall("\(tasks)/\(thread)/children") ?? []).split(separator: UInt8(ascii: " ")).compactMap
            {
                pid_t(String(decoding: $0, as: UTF8.self))
            }
        }
    }
}
