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
        let line = FileContents.smallLines("/proc/\(processID)/status").first { $0.hasPrefix("Umask:") }
        return (line?.split(separator: "\t").last).flatMap { UInt32($0, radix: 8) }
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
        threads(of: process).flatMap { thread in
            FileContents.smallLines("\(thread)/children").flatMap { $0.parts(at: " ") }.compactMap { pid_t($0) }
        }
    }

    /// The directories of a process's threads; none if it has exited.
    static func threads(of process: pid_t) -> [String] {
        let tasks = "/proc/\(process)/task"
        return ((try? DirectoryListing.names(in: tasks)) ?? []).map { "\(tasks)/\($0)" }
    }

    // MARK: - Holders

    /// Whether the process is the holder of a session, in this or another of the user's session directories.
    ///
    /// Arguments can be forged, so the process must also have the session's lock open, the lock must be held, and the
    /// session's record must contain the PID and start time of the process.
    var isHolder: Bool {
        let words = (FileContents.readSmall("/proc/\(processID)/cmdline") ?? []).split(separator: 0)
        guard words.count >= 3, words[1].elementsEqual(SessionHolder.verb.bytes),
            let id = SessionID(String(decoding: words[2], as: UTF8.self)), let sessions = openDirectory(of: id)
        else { return false }
        let files = SessionFiles(of: id, in: sessions)
        guard FileLock.isHeld(files.lock), let json = FileContents.readSmall(files.record),
            let record = try? Session(json: json, source: "'\(files.record)'")
        else { return false }
        return record.id == id && record.holder == identity
    }

    /// The sessions directory in which the process has this session's lock open; nil if there is none.
    private func openDirectory(of id: SessionID) -> String? {
        let descriptors = "/proc/\(processID)/fd"
        // A process that has exited or belongs to another user cannot be the holder.
        for name in (try? DirectoryListing.names(in: descriptors)) ?? [] {
            guard let target = FileContents.link(at: "\(descriptors)/\(name)") else { continue }
            let parts = target.split(separator: "/", omittingEmptySubsequences: false)
            if parts.count > 2, parts.suffix(2).elementsEqual([id.text[...], "lock"]) {
                return parts.dropLast(2).joined(separator: "/")
            }
        }
        return nil
    }
}
