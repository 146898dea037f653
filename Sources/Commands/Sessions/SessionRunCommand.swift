import Arguments
import Core
import Runtime
import Services
import Synchronization

/// Runs a program in a new session, and follows it to its end: `vt sessions run`.
package enum SessionRunCommand: Command {
    private enum OnInterrupt: String, CaseIterable {
        case kill, detach
    }

    private static let rm = Option.flag(
        "rm",
        excludes: [NewSessionOptions.keepFor],
        summary: "remove the session when the program has ended",
        details: "If vt is killed, so that it cannot remove the session, the session is removed like one created with "
            + "--keep-for 1m."
    )
    private static let onInterrupt = Option(
        "on-interrupt",
        .choice("WHAT", OnInterrupt.allCases),
        default: "kill",
        summary: "choose what to do with the session if SIGINT, SIGTERM or SIGHUP ends vt",
        details:
            "'kill' ends the session as 'vt sessions kill' does; 'detach' leaves it running. A lost connection, a "
            + "closed pipe, or SIGKILL to vt does not end the session."
    )

    package static let spec = CommandSpec(
        ["sessions", "run"],
        summary: "run a program in a new session, and follow it to its end",
        description: [
            "Starts COMMAND in a new session, prints its output, and exits with its status. The session can be used "
                + "by other commands meanwhile, and remains until it is removed. If the connection to a server is "
                + "lost, the program continues, and so does the output once vt has reconnected.",
            "NAME is the name of the new session, or TARGET:NAME on a server; see 'vt help sessions create'. Standard "
                + "input is not read; use 'vt attach' or 'vt sessions send' to send input.",
            "# The end of vt",
            "--on-interrupt says what becomes of the session if a signal ends vt, or --idle-timeout expires. With "
                + "--return-on-input, the program keeps running.",
        ],
        operands: [NewSessionOptions.name, OperandSpec("COMMAND", .optionalCommandWords, completion: .command)],
        options: .under("Options for the new session", topic: "sessions create", NewSessionOptions.options) + [
            rm, onInterrupt, SessionExecCommand.idleTimeout, SessionExecCommand.returnsOnInput,
        ] + .under("Output", topic: "sessions logs", [SessionLogsCommand.plain, SessionLogsCommand.filter])
            + ConnectionOptions.options,
        commonOptions: [NewSessionOptions.cwd, NewSessionOptions.env, SessionExecCommand.idleTimeout, onInterrupt, rm],
        examples: [
            ExampleSpec("vt sessions run web:test --rm -- make test", "run a test on a server, and get its status"),
            ExampleSpec("vt sessions run test --rm --plain -- make test >test.log", "write the output as text"),
        ],
        exitCodes: VTError.Code.ofConnections + [.negative, .ended, .exists, .cannotCreate, .busy],
        statuses: [
            124: "--idle-timeout expired, or the program waits for input (--return-on-input)"
        ],
        passesStatusThrough: true
    )

    package static var documents: [DocumentSpec] {
        [.lines(EventPrinter.Event.self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        _ = try NewSessionOptions(call)
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling { .cancel }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let reference = call[NewSessionOptions.name]
        let isRemoved = call[rm]
        let isKilled = call[onInterrupt] != .detach
        try SessionOperand.check(reference, in: context)
        var creation = try NewSessionOptions(call).creation(in: context)
        // With zero, a session that ends at once would be removed before its output is read.
        if isRemoved { creation.keepFor = .seconds(60) }
        let client = try context.sessionClient(on: reference.profile)
        /// Nil while the session is being created.
        let start = Monitor(Start?.none)
        let clock = context.world.clock
        context.atEnd { () async throws(VTError) in
            guard isKilled, let session = await Self.session(of: start, clock) else { return await client.close() }
            let grace = Duration.seconds(3)
            if isRemoved {
                _ = try await client.killAndRemove(session, grace: grace)
            } else {
                _ = try await client.call(KillRequest(grace: grace), on: session)
            }
            await client.close()
        }
        let (session, isNew) = try await create(creation, at: client, start)
        let end: Session
        do throws(VTError) {
            let size = call[SessionLogsCommand.plain] ? try await client.session(session).size : nil
            let printer = SessionLogsCommand.printer(context.queues.output(), call, plainFor: size, in: context)
            let watch = StallWatch(session, at: client, printer, on: clock)
            let ending: Ending = try await printer.printing(on: clock) { () async throws(VTError) in
                try await firstResult { tasks in
                    tasks.add { () async throws(VTError) in
                        watch.started(at: 0)
                        return .ended(
                            try await client.logs(of: session, from: .offset(0), follows: true, receiver: watch)
                        )
                    }
                    let (idle, input) = (call[SessionExecCommand.idleTimeout], call[SessionExecCommand.returnsOnInput])
                    guard idle != nil || input else { return }
                    tasks.add { () async throws(VTError) in
                        .stalled(try await watch.stall(idle: idle, returnsOnInput: input))
                    }
                }
            }
            switch ending {
            case .ended(let session): end = session
            case .stalled(let stall):
                try await printer.finish(try await client.session(session))
                if case .input = stall { start.update { $0 = .over } }
                report(stall, of: reference, call, in: context)
                return .status(VTError.Code.timedOut.status)
            }
            try await printer.finish(end)
        } catch {
            // Only an interrupted vt ends the session.
            if !error.isCancellation { start.update { $0 = .over } }
            throw error
        }
        start.update { $0 = .over }
        guard let exit = end.exit else { throw end.unknownEnd(as: reference.text) }
        if isRemoved, isNew { await remove(session, of: reference, from: client, context.diagnostics) }
        return .status(exit.shellStatus)
    }

    private enum Ending: Sendable {
        case ended(Session)
        case stalled(StallWatch.Stall)
    }

    private static func report(
        _ stall: StallWatch.Stall,
        of reference: SessionReference,
        _ call: Call,
        in context: Context
    ) {
        let name = reference.text
        switch stall {
        case .silence:
            let idle = call[SessionExecCommand.idleTimeout]?.shortText ?? ""
            context.diagnostics.failure("'\(name)' has printed nothing for \(idle)")
        case .input(let row):
            context.diagnostics.failure("'\(name)' waits for input: \(row.sanitized)")
            context.diagnostics.note("to answer, use 'vt sessions send \(name) TEXT --enter'")
        }
    }

    /// What is known of the session.
    private enum Start {
        case created(String, isNew: Bool)
        case failed(VTError)
        /// It has ended, or must be left alone.
        case over
    }

    /// Creates the session in a task that an interrupted vt does not cancel, so that it learns which session to end.
    private static func create(
        _ creation: SessionCreation,
        at client: SessionClient,
        _ start: Monitor<Start?>
    ) async throws(VTError) -> (session: String, isNew: Bool) {
        Task.onCurrentExecutor {
            do throws(VTError) {
                let created = try await client.call(creation)
                start.update { $0 = .created(created.session.id.text, isNew: created.isNew) }
            } catch {
                start.update { $0 = .failed(error) }
            }
        }
        switch try await start.wait({ $0 }) {
        case .created(let session, let isNew): return (session, isNew)
        case .failed(let error): throw error
        case .over: throw .cancelled
        }
    }

    /// Returns the session to end when vt is interrupted, once it is known; nil if there is none.
    private static func session(of start: Monitor<Start?>, _ clock: any Clock<Duration>) async -> String? {
        let late = VTError(.timedOut, "the session may have been created")
        let known = try? await withTimeout(creationLimit, on: clock, throwing: late) { () async throws(VTError) in
            try await start.wait { $0 }
        }
        if case .created(let session, isNew: true) = known { return session }
        return nil
    }

    /// How long an interrupted vt waits for a session that is being created.
    private static let creationLimit = Duration.seconds(10)

    /// Removes the ended session; a failure does not replace the status of the program.
    private static func remove(
        _ session: String,
        of reference: SessionReference,
        from client: SessionClient,
        _ diagnostics: any Diagnostics
    ) async {
        do throws(VTError) {
            _ = try await client.call(CleanupRequest([session]))
        } catch {
            if error.code != .notFound { diagnostics.note("cannot remove '\(reference.text)': \(error.message)") }
        }
    }
}
