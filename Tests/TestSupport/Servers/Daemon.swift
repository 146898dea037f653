import Foundation

/// A server process on a port of loopback, ended with all its children when the last reference goes.
///
/// A small shell stands before the server and ends it when this process is gone, however it went.
package final class Daemon: Sendable {
    package let port: UInt16
    /// What everything the server starts has in its environment as `VT_FIXTURE`.
    package let tag: String

    private let watchdog: RunningProgram
    private let errorLog: String

    /// Starts a server that shall listen on `port`; ready when the port accepts a connection.
    init(port: UInt16, tag: String, errorLog: String, _ words: [String], environment: [String: String] = [:]) throws {
        self.port = port
        self.tag = tag
        self.errorLog = errorLog
        let script = #"log=$1; shift; exec 3<&0; "$@" </dev/null >"$log" 2>&1 3<&- & read _ <&3; kill $!"#
        var call = ProgramCall("/bin/sh", ["-c", script, "sh", errorLog] + words)
        call.environment.merge(environment) { $1 }
        call.environment[ProcessTable.tagVariable] = tag
        watchdog = try call.start()
    }

    deinit {
        stop()
    }

    /// Ends the server and everything it started.
    package func stop() {
        ProcessTable.killAll(tagged: tag, group: watchdog.pid)
    }

    /// What the server wrote to its log so far.
    package var log: String {
        (try? String(contentsOfFile: errorLog, encoding: .utf8)) ?? ""
    }

    /// The server and all that it started, as far as they live.
    package var processes: [pid_t] {
        ProcessTable.processes(tagged: tag, group: watchdog.pid).filter { $0 != watchdog.pid }
    }

    /// Starts servers on free ports until one has its port; another process may take a port that was just free.
    static func start(
        on wanted: UInt16? = nil,
        tag: String = newTag(),
        errorLog: String,
        _ make: (UInt16, String) throws -> (words: [String], environment: [String: String])
    ) async throws -> Daemon {
        var last = ""
        for _ in 0..<5 {
            let port = try wanted ?? LoopbackPort.free()
            let (words, environment) = try make(port, tag)
            let daemon = try Daemon(port: port, tag: tag, errorLog: errorLog, words, environment: environment)
            let listens = await eventually(within: .seconds(20)) {
                LoopbackPort.accepts(port) || daemon.processes.isEmpty && daemon.hasStarted
            }
            if listens, !daemon.processes.isEmpty { return daemon }
            last = daemon.log
            daemon.stop()
        }
        throw FixtureError("the server does not start: \(last)")
    }

    static func newTag() -> String {
        UUID().uuidString
    }

    /// The log is made by the watchdog just before the server.
    private var hasStarted: Bool {
        !watchdog.isRunning || FileManager.default.fileExists(atPath: errorLog) && !log.isEmpty
    }
}
