import Foundation
import Synchronization

/// A running program in its own process group; killed when the last reference is released.
package final class RunningProgram: Sendable {
    package let pid: pid_t
    package let input: PipeEnd
    package let output: PipeEnd
    package let errors: PipeEnd

    private let started = ContinuousClock.now
    private let ended: Mutex<End?> = Mutex(nil)

    struct End {
        var status: ProgramStatus
        var duration: Duration
    }

    init(_ call: ProgramCall) throws {
        let (pid, pipes) = try spawning.withLock { _ in
            let pipes = try Pipes()
            defer { for descriptor in pipes.child { close(descriptor) } }
            return (try spawn(call, pipes.child), pipes)
        }
        self.pid = pid
        input = PipeEnd(pipes.parent[0])
        output = PipeEnd(pipes.parent[1])
        errors = PipeEnd(pipes.parent[2])
    }

    deinit {
        kill()
        collect(wait: true)
    }

    package var isRunning: Bool {
        collect(wait: false)
        return ended.withLock { $0 == nil }
    }

    /// Sends the signal to the program alone; does nothing once it has exited.
    package func signal(_ number: Int32) {
        ended.withLock { if $0 == nil { Glibc.kill(pid, number) } }
    }

    /// Kills the program, its process group and all their descendants; does nothing once the program has exited.
    package func kill() {
        guard isRunning else { return }
        ProcessTable.killAll(group: pid)
    }

    /// Waits for the program to exit; kills it and throws if it does not exit in time.
    @discardableResult
    package func wait(deadline: Duration = .patience) async throws -> ProgramStatus {
        try await end(deadline: deadline).status
    }

    func end(deadline: Duration) async throws -> End {
        let hasEnded = await eventually(within: deadline) { !isRunning }
        guard hasEnded, let end = ended.withLock({ $0 }) else {
            kill()
            throw FixtureError("process \(pid) did not end within \(deadline)")
        }
        return end
    }

    /// The peak resident memory so far, in bytes, without the pages of its program and libraries.
    ///
    /// This is read while the program is running, because `ru_maxrss` would include the memory of the parent process.
    package func peakResidentBytes() throws -> Int {
        try ProcessTable.peakResidentBytes(of: pid)
    }

    /// Waits until the program has not used the processor for 200 polls in succession: until it waits.
    package func waitUntilIdle() async throws -> Bool {
        var (ticks, polls) = (0, 0)
        return try await eventually {
            let now = try ProcessTable.processorTicks(of: pid)
            (ticks, polls) = (now, now == ticks ? polls + 1 : 0)
            return polls == 200
        }
    }

    @discardableResult
    private func collect(wait: Bool) -> Bool {
        ended.withLock {
            guard $0 == nil else { return true }
            var status: Int32 = 0
            guard waitpid(pid, &status, wait ? 0 : WNOHANG) == pid else { return false }
            let signal = status & 0x7f
            $0 = End(
                status: signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal),
                duration: ContinuousClock.now - started
            )
            return true
        }
    }
}

/// A lock that is held while pipes are created and passed on, so that no other program inherits them.
private let spawning = Mutex(())

/// Three pipes: the child's ends in descriptor order, and the test's ends.
private struct Pipes {
    var child: [Int32] = []
    var parent: [Int32] = []

    init() throws {
        for stream in 0..<3 {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { throw FixtureError("pipe: errno \(errno)") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            child.append(ends[stream == 0 ? 0 : 1])
            parent.append(ends[stream == 0 ? 1 : 0])
        }
    }
}

/// Starts the program with default signal actions and only three descriptors.
private func spawn(_ call: ProgramCall, _ streams: [Int32]) throws -> pid_t {
    // Writing to a program that has exited must fail rather than end the whole test run.
    Glibc.signal(SIGPIPE, SIG_IGN)
    // Descriptors that other tests opened without close-on-exec must not count against the program's limit.
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
        guard let number = Int32(name), number > STDERR_FILENO else { continue }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, stream) in streams.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, stream, Int32(target))
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
        &attributes,
        Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    )

    let words = call.words
    let variables = call.environment.map { Array("\($0)=\($1)".utf8) }
    var pid: pid_t = 0
    let result = withCStrings(words) { argv in
        withCStrings(variables) { posix_spawn(&pid, call.executable, &actions, &attributes, argv, $0) }
    }
    guard result == 0 else { throw FixtureError("cannot start '\(call.path)': errno \(result)") }
    return pid
}

private func withCStrings<Result>(
    _ strings: [[UInt8]],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let pointers = strings.map { strdup($0.map { CChar(bitPattern: $0) } + [0]) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
}
