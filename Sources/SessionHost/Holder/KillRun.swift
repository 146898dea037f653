import Core
import Glibc
import System

/// Terminates a session's processes step by step, so that the caller can do other work in between.
struct KillRun {
    private let processes: SessionProcesses
    private let grace: Int64
    private var killsAt: Int64
    /// When KILL was first sent.
    private var killedAt: Int64?
    /// The number of checks since KILL was first sent.
    private var looksSinceKill = 0
    /// The number of consecutive checks that found no process.
    private var emptyLooks = 0
    private var lastLook: Int64
    private var interval = Self.shortestInterval
    /// The directories of the control groups in which the processes were frozen.
    private let thawedGroups: Set<String>
    /// The time of the next check, in microseconds since boot.
    private(set) var nextStep: Int64
    /// The clients that requested the kill.
    var clients: [HolderClient] = []

    /// The first interval between checks, from which it increases; short, because most processes exit quickly.
    private static let shortestInterval: Int64 = 1000
    private static let longestInterval: Int64 = 50_000
    /// The number of consecutive checks that must find no process: a process that is forking or executing another
    /// program can escape a single check.
    private static let requiredEmptyChecks = 3
    /// The minimum time to wait for killed processes to exit; a process that is waiting for a disk takes longer.
    private static let minimumGrace: Int64 = 2_000_000
    /// The minimum number of checks before a killed process is reported as a survivor, even after `minimumGrace`: the
    /// holder itself may have been suspended, or starved on a busy machine.
    private static let minimumLooks = 10

    /// Sends HUP and TERM to all processes, and CONT so that stopped ones handle them, as frozen ones do once they are
    /// thawed, which is done here if the holder is gone.
    init(_ processes: SessionProcesses, graceMilliseconds: UInt32, now: Int64 = HolderClock.now()) {
        self.processes = processes
        grace = Int64(graceMilliseconds) * 1000
        killsAt = now + grace
        lastLook = now
        nextStep = now + Self.shortestInterval
        let living = processes.living()
        for entry in living {
            for signal in [SIGHUP, SIGTERM, SIGCONT] { entry.signal(signal) }
        }
        thawedGroups = processes.marker.map { FreezerGroup.thaw(living, of: $0) } ?? []
    }

    /// Handles another request, which can only shorten the grace period.
    mutating func shortenGrace(graceMilliseconds: UInt32, now: Int64) {
        let sooner = now + Int64(graceMilliseconds) * 1000
        guard killedAt == nil, sooner < killsAt else { return }
        killsAt = sooner
        nextStep = min(nextStep, sooner)
    }

    /// Schedules a check soon, because the process that has just exited may have been the last.
    mutating func checkSoon(now: Int64) {
        nextStep = min(nextStep, max(now, lastLook + Self.shortestInterval))
    }

    /// Returns the survivors once the result is final; nil until then.
    mutating func step(now: Int64) -> [ProcessEntry]? {
        guard now >= nextStep else { return nil }
        lastLook = now
        let living = now >= killsAt ? processes.killAll() : processes.living()
        emptyLooks = living.isEmpty ? emptyLooks + 1 : 0
        if emptyLooks == Self.requiredEmptyChecks || (living.isEmpty && processes.areSurelyNone) { return [] }
        if now >= killsAt {
            // Start counting here, so that all processes reported as survivors have been sent KILL.
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

    /// Terminates processes, which blocks the thread; returns the survivors.
    static func end(_ processes: SessionProcesses, graceMilliseconds: UInt32 = 0) -> [ProcessEntry] {
        var run = Self(processes, graceMilliseconds: graceMilliseconds)
        while true {
            blockThread(for: .microseconds(run.nextStep - HolderClock.now()))
            guard let survivors = run.step(now: HolderClock.now()) else { continue }
            run.removeGroups()
            return survivors
        }
    }

    /// Removes the groups in which the processes were frozen, once they have been reaped, which other processes do.
    private func removeGroups() {
        let deadline = HolderClock.now() + Self.longestInterval
        for directory in thawedGroups {
            while unsafe rmdir(directory) != 0, errno == EBUSY, HolderClock.now() < deadline {
                blockThread(for: .microseconds(Self.shortestInterval))
            }
        }
    }
}
