import Core
import Glibc
import System

/// Stops all processes of a session step by step, so that the caller can do other work in between, and continues them.
///
/// The kernel stops those in the control group of the session. The others are sent STOP until whole passes over the
/// members find none running: a process that was created before its parent was stopped is found by the next pass.
struct FreezeRun {
    private let processes: SessionProcesses
    /// Nil if it cannot be used, so that all processes are sent STOP.
    private let group: FreezerGroup?
    /// The processes that this run has sent STOP, in the order in which they were found: a shell is found, and its
    /// process group stopped, before its children, so that it never observes that they have stopped.
    private var order: [SessionProcess] = []
    private var stopped: Set<SessionProcess> = []
    /// The processes that had been stopped before, and stay so.
    private var exempt: Set<SessionProcess> = []
    private var quietPasses = 0
    private var deadline: Int64
    /// The time of the next step, in microseconds since boot; `.max` once the result is final.
    private(set) var nextStep: Int64
    /// The clients that requested it.
    var clients: [HolderClient] = []

    /// The number of consecutive passes that must find no running process: a process that replaces itself while its
    /// parent exits can escape a single pass.
    private static let requiredQuietPasses = 3
    /// How long to try before the processes that are still running are reported, in microseconds.
    private static let limit: Int64 = 10_000_000
    /// How long a step may take, in microseconds.
    private static let stepLimit: Int64 = 20_000
    private static let pause: Int64 = 1000

    init(_ processes: SessionProcesses, in group: FreezerGroup?) {
        self.processes = processes
        self.group = group?.freeze() ?? false ? group : nil
        (deadline, nextStep) = (0, 0)
        findStopped()
        // Before anything has been stopped, even the first look at many busy processes can take seconds.
        restart()
    }

    /// Stops the processes again that others have continued.
    mutating func repeatStops() {
        guard nextStep == .max else { return }
        _ = group?.freeze()
        restart()
    }

    private mutating func restart() {
        let now = HolderClock.now()
        (nextStep, quietPasses, deadline) = (now, 0, now + Self.limit)
    }

    /// Returns the processes that could not be stopped once the result is final; nil until then.
    mutating func step(now: Int64) -> [ProcessEntry]? {
        guard now >= nextStep else { return nil }
        while true {
            let running = pass()
            quietPasses = running.isEmpty ? quietPasses + 1 : 0
            let time = HolderClock.now()
            if quietPasses == Self.requiredQuietPasses || time > deadline {
                nextStep = .max
                return running
            }
            if time > now + Self.stepLimit {
                nextStep = time + Self.pause
                return nil
            }
        }
    }

    /// Sends STOP to the processes that are running; returns those that cannot be known to have stopped.
    private mutating func pass() -> [ProcessEntry] {
        var running: [ProcessEntry] = []
        var signaled: Set<pid_t> = []
        let (processes, group) = (processes, group)
        let isFrozen = group?.isFrozen ?? false
        _ = processes.living { entry in
            let identity = entry.identity
            guard !exempt.contains(identity) else { return }
            if group?.contains(entry.processID) ?? false {
                if !isFrozen { running.append(entry) }
                return
            }
            let isStopped = entry.isStopped(orWaiting: stopped.contains(identity))
            if !isStopped { running.append(entry) }
            if stopped.insert(identity).inserted { order.append(identity) }
            guard !isStopped else { return }
            // Processes in the control group must not be sent STOP, but can be in the same process group.
            guard group == nil, entry.group > 1, entry.group != getpgrp() else { return entry.signal(SIGSTOP) }
            // All processes of a process group are members. Unlike their parents, they cannot create others meanwhile.
            if signaled.insert(entry.group).inserted { kill(-entry.group, SIGSTOP) }
        }
        return running
    }

    /// Notes which processes have been stopped by others.
    private mutating func findStopped() {
        for entry in processes.living() where entry.isStopped(orWaiting: false) { exempt.insert(entry.identity) }
    }

    /// Continues the processes that this run has stopped, children before their parents.
    func resume() {
        group?.thaw()
        for identity in order.reversed() {
            guard let entry = ProcessEntry(identity.processID), entry.identity == identity else { continue }
            entry.signal(SIGCONT)
        }
    }
}

extension ProcessEntry {
    /// Whether all threads of the process are stopped; with `orWaiting`, also if they are in uninterruptible sleep.
    ///
    /// A thread in uninterruptible sleep that has been sent STOP stops before it runs again. The parent of a new process
    /// can sleep in that way until the process executes a program (vfork(2)).
    fileprivate func isStopped(orWaiting: Bool) -> Bool {
        func isStopped(_ state: UInt8) -> Bool {
            "TtZXx".utf8.contains(state) || orWaiting && state == UInt8(ascii: "D")
        }
        guard isStopped(state) else { return false }
        guard threadCount > 1 else { return true }
        return Self.threads(of: processID).allSatisfy { thread in
            guard let contents = FileContents.readSmall("\(thread)/stat"),
                let end = contents.lastIndex(of: UInt8(ascii: ")")), end + 2 < contents.count
            else { return true }
            return isStopped(contents[end + 2])
        }
    }
}
