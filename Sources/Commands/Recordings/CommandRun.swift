import Arguments
import Core
import Glibc
import Recording
import Runtime
import Services
import System

/// Runs and records a command, which is interactive at a terminal.
struct CommandRun {
    /// Empty for the user's shell.
    let words: [ByteString]
    let options: RecordOptions
    let script: RecordScript?
    /// Whether the user types into the command at a terminal.
    let isInteractive: Bool

    /// A limit that is never reached, so that no output is discarded before it is recorded.
    ///
    /// The log takes about as much space as the recording, and is removed with the session unless `--keep` is given.
    private static let logLimitBytes: UInt64 = 1 << 50

    /// How long a program without a terminal may keep running.
    private static let grace = Duration.seconds(3)

    func run(in context: Context) async throws(VTError) -> ProcessExit {
        let generated = try SessionName("record-\(RandomIdentifier.make().prefix(8))")
        let name = options.name ?? generated
        let path = try path(name)
        let isSilent = isInteractive || path == nil || context.global.quiet || context.global.json
        let mirror = isSilent ? nil : MirrorPrinter(context)
        let client = try context.sessionClient(on: options.profile)
        return try await withCleanup(client.close) { () async throws(VTError) in
            let outcome = try await run(name, path, on: client, mirror, context)
            // The reader of the recording has closed the pipe.
            if path == nil, context.queues.hasLostReader, outcome.stopSignal == nil {
                if !options.keeps { try await CommandRecording(on: client).remove(outcome.session) }
                return .signal(SIGPIPE)
            }
            if let failure = outcome.recordingFailure { throw explained(failure, outcome.session) }
            if !options.keeps { try await CommandRecording(on: client).remove(outcome.session) }
            let status = try report(outcome, path, mirror, context)
            if script != nil {
                if let signal = outcome.stopSignal { return .signal(signal) }
                return outcome.inputFailure.map { context.fail($0) } ?? 0
            }
            // The signal that vt forwarded has terminated the command. Terminate vt with the same signal, so that the
            // caller can detect it.
            if let signal = outcome.stopSignal, status == UInt8(truncatingIfNeeded: 128 + signal) {
                return .signal(signal)
            }
            return .status(status)
        }
    }

    private func path(_ name: SessionName) throws(VTError) -> String? {
        let values = RecordingName.Values(profile: options.profile, session: name.text, id: nil, start: .now())
        switch options.destination {
        case .standardOutput: return nil
        case .file(let template): return try template.text(values)
        case nil: return try RecordingName(parsing: "{session}-{start}.cast").text(values)
        }
    }

    private func run(
        _ name: SessionName,
        _ path: String?,
        on client: SessionClient,
        _ mirror: MirrorPrinter?,
        _ context: Context
    ) async throws(VTError) -> CommandRecording.Outcome {
        let attachment = try attachment(in: context)
        // Open the file first: if that fails, the command must not run, because it could not be recorded.
        let target = try RecordingTarget.open(path, options.existing, isGrowing: true, standardOutput: context.queues)
        var request = options.request
        request.follows = true
        do throws(VTError) {
            request.limitBytes = try target.limit(request.limitBytes)
            // `AppendedFile` parses the data written to it, which must be asciicast v3.
            if options.existing == .append { request.format = .v3 }
            var outcome = try await CommandRecording(on: client).run(
                creation(name, in: context),
                request,
                to: target.sink,
                showing: { session throws(VTError) in
                    if isInteractive {
                        try await interact(with: session, attachment, path, on: client, in: context)
                    } else if let mirror {
                        _ = try await client.logs(of: session, from: .offset(0), follows: true, receiver: mirror)
                    }
                },
                typing: typing(on: client, in: context),
                stops: context.interruption.signals,
                isWanted: { path != nil || !context.queues.hasLostReader }
            )
            do throws(VTError) {
                try await mirror?.finish()
            } catch {
                if outcome.outputFailure == nil { outcome.outputFailure = error }
            }
            do throws(VTError) {
                try await target.finish()
            } catch {
                if outcome.recordingFailure == nil { outcome.recordingFailure = error }
            }
            return outcome
        } catch {
            await target.abandon(keepingWritten: true)
            throw error
        }
    }

    /// Returns what performs the script in a session; nil without a script.
    private func typing(
        on client: SessionClient,
        in context: Context
    ) -> (@Sendable (_ session: String) async throws(VTError) -> Void)? {
        guard let script else { return nil }
        let clock = context.world.clock
        return { session async throws(VTError) in
            var run = ScriptRun(
                script,
                in: session,
                on: client,
                clock: clock,
                delay: options.typingDelay,
                timeout: options.timeout
            )
            try await run.run()
        }
    }

    private func attachment(in context: Context) throws(VTError) -> AttachRequest {
        var request = AttachRequest()
        if let key = options.markerKey {
            request.detachKey = key.key
        } else {
            request.detachKey = try DetachKey.preferred(in: context.console.environment)
        }
        request.detaches = false
        request.resizes = options.size == nil
        request.showsAllOutput = true
        return request
    }

    /// Attaches the terminal to the command's session until it ends.
    private func interact(
        with session: String,
        _ request: AttachRequest,
        _ path: String?,
        on client: SessionClient,
        in context: Context
    ) async throws(VTError) {
        let service = try context.attachService(on: options.profile)
        if let path, let key = request.detachKey {
            context.diagnostics.note("recording to '\(path)'; press \(key.text) and then m to add a marker")
        }
        let terminal = AttachConsole(context)
        var failure: VTError?
        do throws(VTError) {
            _ = try await service.attach(to: session, request, terminal: terminal)
        } catch {
            failure = error
            // No one can end the command anymore. It is not an error if it has already ended.
            _ = try? await client.call(KillRequest(grace: Self.grace), on: session)
        }
        await service.close()
        do throws(VTError) {
            try await terminal.restore()
        } catch {
            failure = failure ?? error
        }
        if let failure { throw failure }
    }

    private func creation(_ name: SessionName, in context: Context) -> SessionCreation {
        let console = context.console
        var creation = SessionCreation(name: name, command: words)
        // On a server, an empty command is the login shell.
        if words.isEmpty, options.profile == nil { creation.command = [ByteString(shell(in: context))] }
        creation.directory = options.directory
        let inherited = options.profile == nil ? Self.variables(in: console.environment) : []
        creation.variables = inherited + options.passed.variables(in: context) + options.variables
        creation.size = options.size ?? console.output.terminalSize ?? .standard
        creation.logLimitBytes = Self.logLimitBytes
        creation.logsInput = options.request.includesInput
        return creation
    }

    private func shell(in context: Context) -> String {
        let shell = context.console.environment["SHELL"] ?? context.world.account()?.shell
        return shell.flatMap { $0.isEmpty ? nil : $0 } ?? "/bin/sh"
    }

    /// Returns the environment variables to pass to the command: all except TERM and VT_SESSION, which vt sets.
    private static func variables(in environment: Environment) -> [EnvironmentVariable] {
        environment.words.compactMap { word in
            guard let text = word.text, !text.hasPrefix("TERM="), !text.hasPrefix("VT_SESSION=") else { return nil }
            // Variables with invalid names are skipped; a shell could not use them either.
            return try? EnvironmentVariable(text)
        }
    }

    private func explained(_ failure: VTError, _ session: Session) -> VTError {
        var failure = failure
        let name = SessionReference(profile: options.profile, session: session.name).text
        // The session has not been removed, and has the complete output.
        failure.hint = "vt record \(name) --output FILE"
        return failure
    }

    private func report(
        _ outcome: CommandRecording.Outcome,
        _ path: String?,
        _ mirror: MirrorPrinter?,
        _ context: Context
    ) throws(VTError) -> UInt8 {
        if let path {
            if context.global.json {
                try context.output.json(
                    RecordDocument(outcome.session, profile: options.profile, options, path: path)
                )
            } else {
                context.diagnostics.note("recorded to '\(path)'")
            }
        }
        if let failure = outcome.outputFailure, mirror?.hasLostReader != true { throw failure }
        guard let exit = outcome.session.exit else {
            throw VTError(.ended, outcome.session.lostText())
        }
        return exit.shellStatus
    }
}
