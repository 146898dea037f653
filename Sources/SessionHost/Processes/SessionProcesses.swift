import Core
import Glibc

/// The processes of a session: its program and all that came from it, wherever they moved.
///
/// Holders adopt the orphans among their descendants, so that parents lead to all of them. The holders of sessions that
/// were begun inside this one are left alone, with what they hold.
struct SessionProcesses {
    /// What a holder has in its environment; the value is the session's id.
    static let holderVariable = "VT_HOLDER"
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
        let all = ProcessEntry.all()
        let children = Dictionary(grouping: all, by: \.parent)
        var found: Set<pid_t> = [getpid()]
        if let holder { found.insert(holder) }
        var result: [ProcessEntry] = []
        var next = all.filter(isRoot)
        while let entry = next.popLast() {
            guard found.insert(entry.processID).inserted, !entry.hasVariable(Self.holderVariable) else { continue }
            result.append(entry)
            next += children[entry.processID] ?? []
        }
        return result
    }

    private func isRoot(_ entry: ProcessEntry) -> Bool {
        if let holder, entry.parent == holder { return true }
        if let leader, entry.processID == leader || entry.session == leader { return true }
        return marker.map { entry.hasVariable(Self.programVariable, $0.text) } ?? false
    }
}
