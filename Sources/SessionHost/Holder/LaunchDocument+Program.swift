import Core
import Glibc
import System

extension LaunchDocument {
    /// Starts the program on a terminal, in a control group if there is one, after `note` has recorded its process, so
    /// that a holder killed in between never leaves behind a program that is not recorded.
    ///
    /// `slave` is the slave side of the terminal.
    func startProgram(
        on slave: CInt,
        in group: FreezerGroup?,
        noting note: (SessionProcess) throws(VTError) -> Void
    ) throws(VTError) {
        // The program is looked up in the session's PATH, which exec reads from this process's environment.
        let path = environment.last { $0.bytes.starts(with: "PATH=".utf8) }?.text?.dropFirst(5)
        if let path {
            unsafe setenv("PATH", String(path), 1)
        } else {
            unsafe unsetenv("PATH")
        }
        var plan = SpawnPlan(arguments: command, environment: environment, directory: directory.text)
        plan.creationMask = creationMask
        func prepare(_ program: pid_t) throws(VTError) {
            // Before it can create other processes.
            group?.add(program)
            limits.set(for: program)
            try note(SessionProcess(processID: program, startTicks: ProcessEntry(program)?.startTicks ?? 0))
        }
        guard directory.text == nil else {
            _ = try ChildProcess.spawn(plan, on: .terminal(slave), noting: prepare)
            return
        }
        // Other names are not text; the program starts in the directory of this process.
        guard unsafe directory.withCString({ unsafe chdir($0) }) == 0 else {
            throw .system(errno, "cannot enter '\(directory.repairedText)'")
        }
        defer { _ = unsafe chdir("/") }
        _ = try ChildProcess.spawn(plan, on: .terminal(slave), noting: prepare)
    }
}
