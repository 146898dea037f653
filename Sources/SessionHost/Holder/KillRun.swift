import Core
import Glibc

/// Ends all processes of a session, step by step, so that whoever runs it can do other things in between.
struct KillRun {
    private let processes: SessionProcesses
    private let grace: Int64
    private var killsAt: Int64
    /// When KILL was first sent, and how often it was looked since.
    private var killedAt: Int64?
    private var looksSinceKill = 0
    /// How often in a row nothing was found.
    private var emptyLooks = 0
    private var lastLook: Int64
    private var interval = Self.shortestInterval
    /// When to look again, in microseconds since boot.
    private(set) var nextStep: Int64
    /// Who has asked.
    var clients: [HolderClient] = []

    /// How often to look whether all have ended: first soon, as most end at once, then less and less often.
    private static let shortestInterval: Int64 = 1000
    private static let longestInterval: Int64 = 50_000
    /// A process that is about to run another program, or to have a child, can escape a single look.
    private static let enoughLooks = 3
    /// What a process that is killed may take to end, at least; one in a system call of a disk takes longer.
    private static let minimumGrace: Int64 = 2_000_000
    /// How often it is looked before what was killed counts as a survivor, however late the looks come: this process
    /// may have been suspended, or have had no time on a busy machine.
    private static let minimumLooks = 10

    /// Sends HUP and TERM to all, and CONT so that those that are stopped take them.
    init(_ processes: SessionProcesses, graceMilliseconds: UInt32, now: Int64) {
        self.processes = processes
        grace = Int64(graceMilliseconds) * 1000
        killsAt = now + grace
        lastLook = now
        nextStep = now + Self.shortestInterval
        for entry in processes.living() {
            for signal in [SIGHUP, SIGTERM, SIGCONT] { entry.signal(signal) }
        }
    }

    /// A second request makes it quicker, never slower.
    mutating func hurry(graceMilliseconds: UInt32, now: Int64) {
        let sooner = now + Int64(graceMilliseconds) * 1000
        guard killedAt == nil, sooner < killsAt else { return }
        killsAt = sooner
        nextStep = min(nextStep, sooner)
    }

    /// A process has ended: it may have been the last.
    mutating func lookSoon(now: Int64) {
        nextStep = min(nextStep, max(now, lastLook + Self.shortestInterval))
    }

    /// Returns what is left once that is final, and nil while there is hope.
    mutating func step(now: Int64) -> [ProcessEntry]? {
        guard now >= nextStep else { return nil }
        lastLook = now
        let living = now >= killsAt ? processes.killAll() : processes.living()
        emptyLooks = living.isEmpty ? emptyLooks + 1 : 0
        if emptyLooks == Self.enoughLooks || (living.isEmpty && processes.areSurelyNone) { return [] }
        if now >= killsAt {
            // Counted from here: whatever the time was, nothing is left alive that was not given KILL.
            if killedAt == nil { (killedAt, interval) = (now, Self.shortestInterval) }
            looksSinceKill += 1
            let isOver = now >= (killedAt ?? now) + max(grace, Self.minimumGrace)
            if isOver, looksSinceKill > Self.minimumLooks { return living }
        }
        nextStep = now + (living.isEmpty ? Self.shortestInterval : interval)
        if killedAt == nil { nextStep = min(nextStep, max(killsAt, now + 1)) }
        interval = min(2 * interval, Self.longestInterval)
        return nil
    }
}
