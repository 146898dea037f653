import CLinux
import Core
import Glibc
import Synchronization

/// A child process, in its own session and process group unless its plan says otherwise.
package final class ChildProcess: Sendable {
    package let processID: pid_t
    /// Whether the process was not started in its own session.
    private let sharesSession: Bool
    /// Whether the process has been reaped, after which its PID can be reused.
    private let isReaped = Mutex(false)
    /// Whether a thread reaps the process and discards its status.
    private let isDismissed = Mutex(false)

    private init(processID: pid_t, sharesSession: Bool) {
        self.processID = processID
        self.sharesSession = sharesSession
    }

    /// Starts a program with default signal actions, no blocked signals, and no descriptors except its streams.
    ///
    /// Returns once the program is running. The new process does nothing until `note` has returned, so that the program
    /// never runs unrecorded, even if this process is killed. The corresponding C functions are `cpty_fork` and
    /// `cpty_exec`.
    ///
    /// - Throws: `not-found` for a missing program or directory, `system` for other failures; errors thrown by `note`,
    ///   after which the program is not started.
    package static func spawn(
        _ plan: SpawnPlan,
        on streams: SpawnPlan.Streams,
        noting note: (pid_t) throws(VTError) -> Void = { _ in }
    ) throws(VTError) -> ChildProcess {
        var start = cpty_start()
        var failure = fork(plan, on: streams, &start)
        guard failure == 0 else { throw .system(failure, "cannot start a process", fallback: .system) }
        do throws(VTError) {
            try note(start.child)
        } catch {
            unsafe cpty_cancel(&start)
            throw error
        }
        var step = CPTY_STEP_NONE
        failure = unsafe cpty_exec(&start, &step)
        guard failure == 0 else {
            let subject = step == CPTY_STEP_DIRECTORY ? plan.directory : plan.arguments.first?.repairedText
            let verb = step == CPTY_STEP_DIRECTORY ? "enter" : "run"
            var error = VTError.system(failure, "cannot \(verb) '\(subject ?? "")'", fallback: .system)
            if step == CPTY_STEP_EXEC, failure == ENOENT { error.hint = hint(for: plan.arguments) }
            if step == CPTY_STEP_EXEC || step == CPTY_STEP_DIRECTORY {
                let isMissing = step == CPTY_STEP_EXEC && failure == ENOENT
                error.startStatus = isMissing ? VTError.notFoundStatus : VTError.notExecutableStatus
            }
            throw error
        }
        return ChildProcess(processID: start.child, sharesSession: plan.sharesSession)
    }

    /// Creates the process; returns 0 or an errno.
    private static func fork(_ plan: SpawnPlan, on streams: SpawnPlan.Streams, _ start: inout cpty_start) -> CInt {
        let mask = plan.creationMask.map { CInt($0) } ?? -1
        let sharesSession: CInt = plan.sharesSession ? 1 : 0
        return unsafe withCStrings(plan.arguments) { arguments in
            unsafe withCStrings(plan.environment) { environment in
                unsafe withCString(plan.directory) { directory in
                    var plan = unsafe cpty_plan(
                        arguments: arguments,
                        environment: environment,
                        directory: directory,
                        terminal: -1,
                        streams: (-1, -1, -1),
                        mask: mask,
                        shares_session: sharesSession
                    )
                    switch streams {
                    case .descriptors(let input, let output, let errorOutput):
                        unsafe plan.streams = (input, output, errorOutput)
                    case .terminal(let slave):
                        unsafe plan.terminal = slave
                    }
                    var failure: CInt = 0
                    return unsafe cpty_fork(&plan, &start, &failure) > 0 ? 0 : failure
                }
            }
        }
    }

    /// Returns what to type instead if a whole command line was given as the program name.
    private static func hint(for arguments: [ByteString]) -> String? {
        let hasBlank = arguments.first?.bytes.contains { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } ?? false
        guard arguments.count == 1, hasBlank, let line = arguments.first else { return nil }
        return "to run a command line: -- sh -c \(line.shellQuoted.repairedText)"
    }

    /// Waits for the program to exit and returns its status.
    ///
    /// The corresponding C functions are `waitid` and `waitpid`.
    package func wait() async throws(VTError) -> ExitStatus {
        let child = self
        return try await onOwnThread { () throws(VTError) in child.waitOnThread() }
    }

    /// Waits for the program to exit without reaping it, and returns its status.
    ///
    /// `wait` or `dismiss` must still be called. The corresponding C function is `waitid` with WNOWAIT.
    package func observeExit() async throws(VTError) -> ExitStatus {
        let child = self
        return try await onOwnThread { () throws(VTError) in
            var information = unsafe siginfo_t()
            while unsafe waitid(P_PID, id_t(child.processID), &information, WEXITED | WNOWAIT) != 0 {
                guard errno == EINTR else { throw .system(errno, "cannot wait for a program") }
            }
            let status = unsafe information._sifields._sigchld.si_status
            let code = unsafe information.si_code
            return code == CInt(CLD_EXITED)
                ? .exited(UInt32(status & 0xff))
                : .signalled(SignalName(number: status), coreDumped: code == CInt(CLD_DUMPED))
        }
    }

    /// Sends a signal to the program's process group, or only to a program that shares the session of this process;
    /// does nothing once the program has been reaped.
    package func signal(_ number: CInt) {
        isReaped.withLock { isReaped in
            guard !isReaped else { return }
            kill(sharesSession ? processID : -processID, number)
        }
    }

    /// Stops this process whenever the program stops, and continues the program when this process is continued.
    ///
    /// For a program that shares the session: a shell waits only for this process, which therefore must not stop before
    /// the program has restored the terminal. The corresponding C function is `waitid`.
    package func stopTogether() throws(VTError) {
        let child = self
        try startThread {
            var information = unsafe siginfo_t()
            while true {
                let result = unsafe waitid(P_PID, id_t(child.processID), &information, WSTOPPED | WEXITED | WNOWAIT)
                if result != 0, errno == EINTR { continue }
                guard result == 0, unsafe information.si_code == CInt(CLD_STOPPED) else { return }
                unsafe waitid(P_PID, id_t(child.processID), &information, WSTOPPED | WNOHANG)
                raise(SIGSTOP)
                child.signal(SIGCONT)
            }
        }
    }

    /// Sends a signal to the program as `signal` does, and reaps the program when it ends.
    ///
    /// The status is discarded. Further calls only send the signal.
    package func dismiss(_ number: CInt) {
        signal(number)
        let isFirst = isDismissed.withLock { isDismissed in
            defer { isDismissed = true }
            return !isDismissed
        }
        guard isFirst else { return }
        let child = self
        // If no thread can be created, the program stays a zombie until this process ends.
        try? startThread { _ = child.waitOnThread() }
    }

    /// Returns the program's status, and reaps it, if it has ended; the corresponding C function is `waitpid`.
    package func statusIfEnded() -> ExitStatus? {
        isReaped.withLock { isReaped in
            var status: CInt = 0
            guard !isReaped, unsafe waitpid(processID, &status, WNOHANG) == processID else { return nil }
            isReaped = true
            return ExitStatus(waitStatus: status)
        }
    }

    /// Waits for the exit before reaping the process under the lock, so that `signal` never reaches a reused PID.
    private func waitOnThread() -> ExitStatus {
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        return isReaped.withLock { isReaped in
            var status: CInt = 0
            unsafe waitpid(processID, &status, 0)
            isReaped = true
            return ExitStatus(waitStatus: status)
        }
    }
}

extension ExitStatus {
    /// Decodes a status from wait(2).
    package init(waitStatus status: CInt) {
        let signal = status & 0x7f
        self =
            signal == 0
            ? .exited(UInt32(status >> 8 & 0xff))
            : .signalled(SignalName(number: signal), coreDumped: status & 0x80 != 0)
    }
}
