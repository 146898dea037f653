import Foundation

/// The `vt` program with its own home, isolated from the files, agent and variables of the user who runs the tests.
package final class Vt: Sendable {
    /// The program's HOME; initially empty.
    package let home: String
    /// The program's VT_HOME, which contains all state of vt.
    package let stateHome: String
    /// The value of `VT_FIXTURE` in the environment of everything this `vt` starts.
    package let tag = UUID().uuidString

    private let scratch: ScratchDirectory
    private let share: String

    /// By default, commands share connections only in the second run of a test with the trait `.sharing`.
    package init(sharesConnections: Bool? = nil) throws {
        share = sharesConnections ?? ConnectionSharing.isEnabled ? "60s" : "off"
        scratch = try ScratchDirectory()
        home = try scratch.makeDirectory("home")
        stateHome = scratch.path("vt")
    }

    deinit {
        ProcessTable.killAll(tagged: tag, within: scratch.path)
    }

    /// The environment of `vt` and of programs that call it; PATH includes the directory of `vt`.
    package var environment: [String: String] {
        let directory = (TestTree.vt as NSString).deletingLastPathComponent
        return [
            "HOME": home, "VT_HOME": stateHome, "PATH": "\(directory):\(ProgramCall.searchPath)",
            "USER": TestUser.current.name, "LOGNAME": TestUser.current.name, ProcessTable.tagVariable: tag,
            "VT_SHARE": share,
        ]
    }

    /// Returns a call to `vt` with these arguments; `VT_FAULT` in the environment selects a `vt` with fault points.
    package func call(_ words: [String], environment: [String: String] = [:]) -> ProgramCall {
        let program = environment["VT_FAULT"] == nil ? TestTree.vt : TestTree.builtVt
        return ProgramCall(program, words, environment: self.environment.merging(environment) { $1 })
    }

    /// Runs `vt` until it exits.
    package func run(
        _ words: String...,
        input: [UInt8] = [],
        environment: [String: String] = [:],
        deadline: Duration = .patience
    ) async throws -> ProgramResult {
        try await call(words, environment: environment).run(input: input, deadline: deadline)
    }

    /// Runs `vt`, throws unless it exits with 0, and returns its standard output.
    @discardableResult
    package func check(_ words: String...) async throws -> String {
        try await call(words).check()
    }

    /// Runs a line of bash that can call `vt`, with `words` as `$1`, `$2` ….
    package func bash(_ line: String, _ words: String..., deadline: Duration = .patience) async throws
        -> ProgramResult
    {
        try await ProgramCall("/bin/bash", ["-c", line, "bash"] + words, environment: environment)
            .run(deadline: deadline)
    }

    /// Starts `vt` without waiting for it to exit.
    package func start(_ words: String..., environment: [String: String] = [:]) throws -> RunningProgram {
        try call(words, environment: environment).start()
    }

    /// The running processes of this `vt`, and their descendants, except the mux servers of connections.
    package var processes: [pid_t] { allProcesses.filter { !ProcessTable.command($0).contains("vt keep ") } }

    /// The processes that keep shared connections.
    package var muxServers: [pid_t] { allProcesses.filter { ProcessTable.command($0).contains("vt keep ") } }

    private var allProcesses: [pid_t] { ProcessTable.processes(tagged: tag, within: scratch.path) }

    /// Writes a file in VT_HOME.
    package func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        try scratch.write(text, to: "vt/\(name)", mode: mode)
    }

    /// Writes a file outside VT_HOME, and returns its path.
    @discardableResult
    package func writeElsewhere(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        try scratch.write(text, to: "files/\(name)", mode: mode)
    }
}
