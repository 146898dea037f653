import Core
import Glibc

/// The processes of a session: its program and all descendants, even in other process groups or sessions.
///
/// Holders adopt orphaned descendants, so all descendants can be found through their parents. Holders of nested
/// sessions, and the processes of those sessions, are excluded.
struct SessionProcesses {
    /// The variable in the environment of a session's programs; its value is the session's ID.
    static let programVariable = "VT_SESSION"

    /// The session ID (setsid(2)) of the program's terminal, which is the program's PID.
    var leader: pid_t?
    /// The holder, whose descendants are the processes to find.
    var holder: pid_t?
    /// If set, processes with this session ID in their environment are found too, because orphans are not adopted once
    /// the holder is gone.
    var marker: SessionID?

    /// All running processes of the session, except the holder and this process; `visit` is called for each as soon as
    /// it is found.
    func living(_ visit: (ProcessEntry) -> Void = { _ in }) -> [ProcessEntry] {
        // The holder only has to search its own descendants, because it adopts their orphans.
        if let holder, holder == getpid(), ProcessEntry.reportsChildren { return descendants(of: holder, visit) }
        return living(in: Snapshot(readsMarks: marker != nil), visit)
    }

    /// Sends KILL to all running processes of the session, and returns them.
    ///
    /// First, processes are stopped until no new ones appear; otherwise, processes that fork faster than they are found
    /// could escape.
    func killAll() -> [ProcessEntry] {
        var stopped: Set<SessionProcess> = []
        let deadline = HolderClock.now() + Self.longestStop
        var hasNew = true
        while hasNew, HolderClock.now() < deadline {
            hasNew = false
            _ = living { entry in
                guard stopped.insert(entry.identity).inserted else { return }
                hasNew = true
                entry.signal(SIGSTOP)
            }
        }
        let found = living()
        for entry in found { entry.signal(SIGKILL) }
        return found
    }

    /// The maximum time to spend on stopping processes before those found so far are killed, in microseconds.
    private static let longestStop: Int64 = 300_000

    /// Whether the session certainly has no processes: a holder adopts all orphans, so if it has no children, it has no
    /// descendants.
    ///
    /// False in any process other than the holder.
    var areSurelyNone: Bool {
        guard holder == getpid() else { return false }
        var information = unsafe siginfo_t()
        return unsafe waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD
    }

    private func descendants(of root: pid_t, _ visit: (ProcessEntry) -> Void) -> [ProcessEntry] {
        var found: Set<pid_t> = [root]
        var result: [ProcessEntry] = []
        var next = ProcessEntry.children(of: root)
        while let process = next.popLast() {
            guard found.insert(process).inserted, let entry = ProcessEntry(process), !entry.isHolder else { continue }
            visit(entry)
            result.append(entry)
            next += ProcessEntry.children(of: process)
        }
        return result
    }

    /// All processes of the session that were running when the snapshot was made.
    func living(in snapshot: Snapshot, _ visit: (ProcessEntry) -> Void = { _ in }) -> [ProcessEntry] {
        var found: Set<pid_t> = [getpid()]
        if let holder { found.insert(holder) }
        var result: [ProcessEntry] = []
        var next = snapshot.entries.filter { isRoot($0, snapshot) }
        while let entry = next.popLast() {
            guard found.insert(entry.processID).inserted, !entry.isHolder else { continue }
            visit(entry)
            result.append(entry)
            next += snapshot.children[entry.processID] ?? []
        }
        return result
    }

    private func isRoot(_ entry: ProcessEntry, _ snapshot: Snapshot) -> Bool {
        if let holder, entry.parent == holder { return true }
        if let leader, entry.processID == leader || entry.session == leader { return true }
        return marker.map { snapshot.marks[entry.processID] == $0.text } ?? false
    }

    /// All processes on the machine at one point in time.
    struct Snapshot {
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
                for entry in entries { marks[entry.processID] = entry.variable(programVariable) }
            }
            self.marks = marks
        }
    }
}
