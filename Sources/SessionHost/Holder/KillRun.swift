import Core
import Glibc

/// Ends all processes of a session, step by step, so that whoever runs it can do other things in between.
struct KillRun {
    private let processes: SessionProcesses
    private let grace: Int64
    private var killsAt: Int64
    private var endsAt: Int64
    private var hasKilled = false
    /// How often in a row nothing was found.
    private var emptyLooks = 0
    /// When to look again, in microseconds since boot.
    private(set) var nextStep: Int64
    /// Who has asked.
    var clients: [HolderClient] = []

    /// How often to look whether all have ended.
    private static let interval: Int64 = 10_000
    /// A process that is about to run another program, or to have a child, can escape a single look.
    private static let enoughLooks = 3
    /// What a process that is killed may take to end, at least; one in a system call of a disk takes longer.
    private static let leastGrace: Int64 = 500_000

    /// Sends HUP and TERM to all, and CONT so that those that are stopped take them.
    init(_ processes: SessionProcesses, graceMilliseconds: UInt32, now: Int64) {
        self.processes = processes
        grace = Int64(graceMilliseconds) * 1000
        killsAt = now + grace
        endsAt = killsAt + max(grace, Self.leastGrace)
        nextStep = now + 1000
        for entry in processes.living() {
            for signal in [SIGHUP, SIGTERM, SIGCONT] { entry.signal(signal) }
        }
    }

    /// A second request makes it quicker, never slower.
    mutating func hurry(graceMilliseconds: UInt32, now: Int64) {
        let sooner = now + Int64(graceMilliseconds) * 1000
        guard !hasKilled, sooner < killsAt else { return }
        killsAt = sooner
        nextStep = min(nextStep, sooner)
    }

    /// Returns what is left once that is final, and nil while there is hope.
    mutating func step(now: Int64) -> [ProcessEntry]? {
        guard now >= nextStep else { return nil }
        nextStep = min(now + Self.interval, hasKilled ? .max : max(killsAt, now + 1))
        let living = processes.living()
        emptyLooks = living.isEmpty ? emptyLooks + 1 : 0
        if emptyLooks == Self.enoughLooks || now >= endsAt { return living }
        if now >= killsAt {
            if !hasKilled { endsAt = now + max(grace, Self.leastGrace) }
            hasKilled = true
            // Again each time: there may be new ones.
            for entry in living { entry.signal(SIGKILL) }
        }
        return nil
    }
}
