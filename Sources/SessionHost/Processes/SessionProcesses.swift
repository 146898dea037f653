import Core
import Glibc

/// The processes of a session: its program and all that came from it, wherever they moved.
///
/// Holders adopt the orphans among their descendants, so that parents lead to all of them. The holders of sessions that
/// were begun inside this one are left alone, with what they hold.
struct SessionProcesses {
    /// What a program of a session has in its environment; the value is the session's id.
    static let programVariable = "VT_SESSION"

    /// The session id of the program's terminal, which is the number of the program's process.
    var leader: pid_t?
    /// The process whose descendants are asked for.
    var holder: pid_t?
    /// Also those that carry the session's id in their environment, when the holder cannot adopt any more.
    var marker: SessionID?

    /// All that live now, but the holder and this process.
    func living() -> [ProcessEntry] {
        look { _ in }
    }

    /// Sends KILL to all that live now, and returns them.
    ///
    /// All are stopped before, until no new ones appear: those that have children faster than they are found would
    /// always leave some behind.
    func killAll() -> [ProcessEntry] {
        var stopped: Set<SessionProcess> = []
        let deadline = HolderClock.now() + Self.longestStop
        var hasNew = true
        while hasNew, HolderClock.now() < deadline {
            hasNew = false
            _ = look { entry in
                guard stopped.insert(entry.identity).inserted else { return }
                hasNew = true
                entry.signal(SIGSTOP)
            }
        }
        let found = living()
        for entry in found { entry.signal(SIGKILL) }
        return found
    }

    /// How long processes are stopped before those that were found are killed, in microseconds.
    private static let longestStop: Int64 = 300_000

    /// Whether the system says that there are none: a holder without children has no descendants, as it adopts them.
    ///
    /// The corresponding C function is `waitid`.
    var areSurelyNone: Bool {
        guard holder == getpid() else { return false }
        var information = unsafe siginfo_t()
        return unsafe waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD
    }

    /// Finds all that live now; `visit` is called for each as soon as it is found.
    private func look(_ visit: (ProcessEntry) -> Void) -> [ProcessEntry] {
        // A holder that looks for its own needs no more than that, as nothing that it adopts leaves it.
        if let holder, holder == getpid(), ProcessChildren.areTold { return descendants(of: holder, visit) }
        return living(in: ProcessSnapshot(readsMarks: marker != nil), visit)
    }

    private func descendants(of root: pid_t, _ visit: (ProcessEntry) -> Void) -> [ProcessEntry] {
        var found: Set<pid_t> = [root]
        var result: [ProcessEntry] = []
        var next = ProcessChildren.of(root)
        while let process = next.popLast() {
            guard found.insert(process).inserted, let entry = ProcessEntry(process), !entry.isHolder else { continue }
            visit(entry)
            result.append(entry)
            next += ProcessChildren.of(process)
        }
        return result
    }

    /// All that lived when the snapshot was made.
    func living(in snapshot: ProcessSnapshot, _ visit: (ProcessEntry) -> Void = { _ in }) -> [ProcessEntry] {
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

    private func isRoot(_ entry: ProcessEntry, _ snapshot: ProcessSnapshot) -> Bool {
        if let holder, entry.parent == holder { return true }
        if let leader, entry.processID == leader || entry.session == leader { return true }
        return marker.map { snapshot.marks[entry.processID] == $0.text } ?? false
    }
}
