import Foundation
import TestSupport

/// A private PostgreSQL server that listens on a Unix socket only.
struct PostgresServer {
    /// The directory with the socket and the data.
    let directory: String

    private let stopping: ProgramCall
    private let scratch: ScratchDirectory

    /// Debian keeps the programs of each version in a directory of their own, outside PATH.
    private static let versions = "/usr/lib/postgresql"

    /// Starts a server, which is killed with everything that `vt` has started.
    init(in vt: Vt) async throws {
        scratch = try ScratchDirectory()
        directory = scratch.path
        let isRoot = getuid() == 0
        if isRoot { try await ProgramCall("chown", ["postgres", directory]).check() }
        // The server refuses to run as root.
        let user = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        let versions = try FileManager.default.contentsOfDirectory(atPath: Self.versions)
        guard let version = versions.max(by: { $0.compare($1, options: .numeric) == .orderedAscending }) else {
            throw FixtureError("no PostgreSQL in \(Self.versions)")
        }
        let programs = "\(Self.versions)/\(version)/bin"
        func call(_ program: String, _ arguments: String...) -> ProgramCall {
            ProgramCall("env", user + ["\(programs)/\(program)"] + arguments, environment: vt.environment)
        }
        try await call("initdb", "-D", "\(directory)/data", "-A", "trust", "-U", "postgres", "--no-sync").check()
        let options = "-k \(directory) -c listen_addresses='' -F"
        try await call("pg_ctl", "-D", "\(directory)/data", "-w", "-l", "\(directory)/log", "-o", options, "start")
            .check()
        stopping = call("pg_ctl", "-D", "\(directory)/data", "-w", "-m", "immediate", "stop")
    }

    /// Stops the server, which releases its shared memory.
    func stop() async throws {
        try await stopping.check()
    }
}
