import Arguments
import Core
import Services

/// A command line of ssh(1), with the options that it gives.
struct SSHInvocation {
    private let line: SSHCommandLine
    private let options: HostSettings
    private let words: [ByteString]
    /// Whether this is the background process (`-f`).
    private let isInBackground: Bool

    init(_ words: [ByteString], isInBackground: Bool = false) throws(VTError) {
        self.words = words
        self.isInBackground = isInBackground
        line = try SSHCommandLine(words)
        var options = HostSettings()
        for text in line.options { try options.apply(text) }
        // As with ssh, a missing key file is not an error.
        options.requiresIdentities = false
        // A proxy command given here can depend on the working directory, and callers such as mosh read its
        // standard error.
        if case .proxyCommand = options.route { options.shareTimeout = .zero }
        self.options = options
    }

    func run(in context: Context) async throws(VTError) -> ProcessExit {
        let isQuiet = line.isQuiet || ["quiet", "fatal", "error"].contains(options.logLevel?.lowercased())
        guard let path = line.logFile else {
            return try await perform(in: context.reporting(quiet: isQuiet, verbosity: line.verbosity)) { text in
                // Standard error might be closed.
                try? context.console.errorOutput.write(Array(text.utf8))
            }
        }
        let log = try SSHLog(appendingTo: path, quiet: isQuiet, verbosity: line.verbosity)
        do throws(VTError) {
            return try await perform(in: context.reporting(to: log)) { log.write($0) }
        } catch {
            let status = error.code.passThroughStatus
            log.write(ErrorReport(error, status: status).text(context.global))
            return .status(status)
        }
    }

    /// Does what the command line asks for; `report` prints messages for which there is no diagnostics method.
    private func perform(
        in context: Context,
        report: @escaping @Sendable (String) -> Void
    ) async throws(VTError) -> ProcessExit {
        switch line.action {
        case .showVersion:
            let libraries = try context.world.libraries().map { "\($0.name) \($0.version)" }
            let parts = ["vt \(Release.version) (OpenSSH-compatible)"] + libraries
            try context.console.errorOutput.write(Array((parts.joined(separator: ", ") + "\n").utf8))
        case .query(let name):
            let names = try SSHCommand.supported(name, algorithms: context.world.algorithms)
            try context.output.text(names.joined(separator: "\n"))
        case .showConfiguration:
            let run = try SSHRun(line, options, in: context)
            if run.options.continuesInBackground == true { try run.checkBackground() }
            try context.output.text(try SSHConfigurationText(run: run, plan: run.sshPlan()).text())
        case .control(let control):
            let plan = try SSHRun(line, options, in: context).sshPlan()
            let (text, status) = try await control.perform(on: plan, in: context)
            report("\(text.sanitized)\n")
            return .status(status)
        case .run:
            return try await connect(in: context, report: report)
        }
        return 0
    }

    private func connect(
        in context: Context,
        report: @escaping @Sendable (String) -> Void
    ) async throws(VTError) -> ProcessExit {
        let run = try SSHRun(line, options, in: context, report: report)
        if run.options.continuesInBackground == true, !isInBackground {
            try run.checkBackground()
            // Start a new process, because a process with an event loop cannot fork. Nothing is connected yet.
            let words = SSHBackgroundCommand.spec.path.map { ByteString($0) } + words
            let program = BackgroundProgram(environment: context.console.environment)
            let status = try await program.start(words)
            return .status(status?.shellStatus ?? 0)
        }
        do throws(VTError) {
            return .status(try await context.withSuspensions { () async throws(VTError) in try await run.perform() })
        } catch {
            // As with ssh, even failures are not reported with -q and LogLevel=QUIET.
            guard !run.isSilent || error.isCancellation else { return .status(VTError.Code.passThroughFailure) }
            if !context.global.json, let lines = run.lines(for: error) {
                report(lines.map { $0.sanitized + "\n" }.joined())
            }
            // Callers of ssh expect the same status for every failure to connect, including a timeout.
            guard error.code == .timedOut else { throw run.hinted(error) }
            throw VTError(.hostUnreachable, error.message, hint: error.hint)
        }
    }
}
