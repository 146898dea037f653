import Core
import Glibc
import System

/// Starts the program of a session on a terminal.
struct ProgramStart {
    let command: [ByteString]
    /// `NAME=VALUE` words.
    let environment: [ByteString]
    let directory: ByteString
    let creationMask: UInt32
    /// The control group for the program.
    let group: FreezerGroup?

    /// Starts the program after `note` has recorded its process, so that a holder killed in between never leaves behind
    /// a program that is not recorded.
    ///
    /// `slave` is the slave side of the terminal.
    func run(on slave: CInt, noting note: (pid_t) throws(VTError) -> Void) throws(VTError) {
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
            try note(program)
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
