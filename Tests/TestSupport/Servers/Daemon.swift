import Foundation

/// A server process on a loopback port, killed with all its children when the last reference is released.
///
/// A shell monitors the test process, and kills the server once the test process has ended for any reason.
package final class Daemon: Sendable {
    package let port: UInt16
    /// The value of `VT_FIXTURE` in the environment of everything the server starts.
    package let tag: String

    private let watchdog: RunningProgram
    private let errorLog: String
    /// The directory of the server's files, among them the homes of its users.
    private var directory: String { (errorLog as NSString).deletingLastPathComponent }

    /// Starts a server that should listen on `port`, without waiting until the port accepts connections.
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

    /// Kills the server and everything it started.
    package func stop() {
        ProcessTable.killAll(tagged: tag, within: directory, group: watchdog.pid)
    }

    /// The contents of the server's log.
    package var log: String {
        (try? String(contentsOfFile: errorLog, encoding: .utf8)) ?? ""
    }

    /// The running processes of the server and of everything it started.
    package var processes: [pid_t] {
        ProcessTable.processes(tagged: tag, within: directory, group: watchdog.pid).filter { $0 != watchdog.pid }
    }

    /// Starts a server on the port `wanted`, or on a free one, and waits until it accepts connections.
    ///
    /// Makes up to five attempts, because another process can take a port that was just free.
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
            let listens = await eventually {
                LoopbackPort.accepts(port) || daemon.hasStarted && daemon.processes.isEmpty
            }
            if listens, !daemon.processes.isEmpty { return daemon }
            last = daemon.log
            daemon.stop()
        }
        throw FixtureError("the server did not start: \(last)")
    }

    static func newTag() -> String {
        UUID().uuidString
    }

    /// Whether the server has written to its log, or the watchdog has exited.
    private var hasStarted: Bool {
        !watchdog.isRunning || FileManager.default.fileExists(atPath: errorLog) && !log.isEmpty
    }
}
