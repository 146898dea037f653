import Arguments
import Core
import Glibc
import Services
import System

/// Attaches to a session: `vt attach`.
package enum AttachCommand: Command {
    private static let create = Option.flag(
        "create",
        summary: "create the session if it does not exist, with COMMAND or the login shell",
        details: "--cwd, --env and --pass-env apply only to a new session."
    )
    private static let cwd = Option("cwd", .text("DIR", completion: .directory), summary: "start in this directory")
    private static let env = SharedOptions.environment(of: "the session")
    private static let readOnly = Option.flag(
        "read-only",
        summary: "only watch: send no input and do not resize the session"
    )
    private static let noResize = Option.flag("no-resize", summary: "do not resize the session's terminal")
    private static let size = Option(
        "size",
        .terminalSize,
        excludes: [readOnly, noResize],
        summary: "resize the session's terminal to this size instead of that of this terminal"
    )
    private static let detachKey = Option(
        "detach-key",
        ValueKind("KEY", parse: KeyChoice.init),
        default: DetachKey.standard.text,
        summary: "detach when this key is pressed",
        details: "Write the key as ^X or C-X, where X is a letter or one of @ [ \\ ] ^ _; 'none' disables the detach "
            + "key. VT_DETACH_KEY in the environment sets the default."
    )
    private static let reconnectFor = Option(
        "reconnect-for",
        .duration(atLeast: .seconds(1)),
        excludes: [noReconnect],
        summary: "try to reconnect for this long after the connection is lost",
        details: "Time during which this machine is suspended does not count."
    )
    private static let noReconnect = Option.flag("no-reconnect", summary: "exit if the connection is lost")

    package static let spec = CommandSpec(
        ["attach"],
        summary: "attach to a session",
        description: [
            "Connects this terminal to a session, until its program ends or the detach key (^]) is pressed. The "
                + "current screen is shown first, followed by all further output. Any number of clients can attach to "
                + "a session, and the terminal is restored no matter how the client ends.",
            SessionOperand.explanation,
            "# Keys",
            "The detach key is ^] unless --detach-key or VT_DETACH_KEY specifies another. To send the key itself to "
                + "the program, as for a tag jump in vim, press it twice within 0.5 seconds. It is not recognized in "
                + "pasted text, and input typed before it is delivered first. The detach key and then m adds a marker "
                + "to the session, as 'vt sessions mark' does, and y or n answers the question of 'vt sessions ask', "
                + "unless --read-only is given.",
            "# The end",
            "The exit status is the program's, or 0 if the detach key was pressed. If the session has already ended, "
                + "its final screen is shown and its exit status returned.",
            "# New sessions",
            "With --create, a session that does not exist is created first, as with 'vt sessions create SESSION -- "
                + "COMMAND', with the size of this terminal; one that has ended is replaced. If the session exists, "
                + "COMMAND is ignored.",
            "# Size",
            "The session's terminal has the size of the most recently active client: the last one that attached, was "
                + "resized, or sent input. When that client has gone, the size is that of the client before it, if "
                + "there is one. --size sets it once. A session of a VibeTunnel server, whose clients share its "
                + "terminal, is resized only with --size.",
            "# Without a terminal",
            "Input from a pipe or file is sent as is, without a detach key. The session continues after the input "
                + "ends; to signal end of file to the program, use 'vt sessions send SESSION --key C-d'. If standard "
                + "output is not a terminal, it receives the program's output byte for byte, starting when the client "
                + "attaches or, if --create creates the session, with the first byte. Of a session that has already "
                + "ended, it receives the text of the final screen.",
            "# Lost connections",
            "vt reconnects to a server: first immediately, and then after delays that double from 1 to 32 seconds. If "
                + "standard input and output are a terminal, it tries until it succeeds or the detach key is pressed; "
                + "otherwise, it makes up to ten attempts. Output continues where it stopped or, on a terminal that "
                + "missed more than 8 MiB, with the current screen. Input is delivered at most once, and any possible "
                + "loss is reported. vt does not retry if authentication fails or the host key has changed.",
            "# Queries",
            "The session itself answers queries that its program sends to the terminal, whether or not a client is "
                + "attached, so a query never gets two answers. It reports the colors of the terminal that attached "
                + "last.",
        ],
        operands: [
            SessionOperand.session,
            OperandSpec("COMMAND", .optionalCommandWords, completion: .command),
        ],
        options: [
            create, cwd, env, PassedVariables.option, readOnly, noResize, size, detachKey, reconnectFor, noReconnect,
        ] + ConnectionOptions.options,
        commonOptions: [create, readOnly, detachKey, size, noReconnect],
        examples: [
            ExampleSpec("vt attach build", "attach to a session on this machine"),
            ExampleSpec("vt attach web:build --read-only", "watch a session on a server"),
            ExampleSpec("vt attach --create web:main", "attach to a shell on a server, and create it if necessary"),
            ExampleSpec("echo make | vt attach build", "send a line and follow the session to its end"),
        ],
        exitCodes: VTError.Code.ofConnections,
        statuses: [
            0: "the detach key was pressed"
        ],
        passesStatusThrough: true
    )

    package static func check(_ call: Call) throws(VTError) {
        _ = try creation(of: call[SessionOperand.session], call)
    }

    private static func creation(
        of reference: SessionReference,
        _ call: Call
    ) throws(VTError) -> SessionCreation? {
        guard call[create] else {
            let options: [any CommandOption] = [cwd, env, PassedVariables.option]
            let option = options.first(where: call.contains)
            guard let superfluous = option.map({ "--\($0.long)" }) ?? (call.commandWords.isEmpty ? nil : "COMMAND")
            else { return nil }
            throw VTError(
                .usage,
                "\(superfluous) can be used only with --create",
                hint: "to run a command in a new session, use 'vt attach --create SESSION -- COMMAND'"
            )
        }
        var creation = SessionCreation(name: try SessionName(reference.session), command: call.commandWords)
        creation.directory = call[cwd]
        creation.variables = call[env]
        creation.ifExists = .ok
        return creation
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling {
        .cancelAll(suspends: true)
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let reference = call[SessionOperand.session]
        try SessionOperand.check(reference, in: context)
        var request = try request(call, on: context.console)
        // The program may have written output before the client attaches.
        request.showsAllOutput = try await createIfNecessary(reference, call, in: context)
        if !request.showsAllOutput, let size = call[size] { try await resize(reference, to: size, in: context) }
        let service = try context.attachService(on: reference.profile)
        context.atEnd { await service.close() }
        if reference.profile == nil {
            try prepare(context.world.sessions().session(reference.session), request, in: context)
        }
        let console = AttachConsole(context, end: "\r\n")
        context.atEnd { () async throws(VTError) in try await console.restore() }
        switch try await service.attach(to: reference.session, request, terminal: console) {
        case .ended(let status):
            console.leaveCursor()
            return .status(status.shellStatus)
        case .detached:
            context.atEnd { context.diagnostics.note("detached from \(reference.text)") }
            return 0
        }
    }

    /// Returns whether a session was created.
    private static func createIfNecessary(
        _ reference: SessionReference,
        _ call: Call,
        in context: Context
    ) async throws(VTError) -> Bool {
        guard var creation = try creation(of: reference, call) else { return false }
        creation.variables = PassedVariables(call).variables(in: context) + creation.variables
        creation.size = call[size] ?? context.console.terminalSize ?? creation.size
        let order = creation
        return try await SessionOperand.withClient(of: reference.profile, in: context) { client throws(VTError) in
            try await client.call(order).isNew
        }
    }

    private static func resize(
        _ reference: SessionReference,
        to size: TerminalSize,
        in context: Context
    ) async throws(VTError) {
        do throws(VTError) {
            try await SessionOperand.withClient(of: reference.profile, in: context) { client throws(VTError) in
                try await client.call(ResizeRequest(to: size), on: reference.session)
            }
        } catch {
            // The final screen of a session that has ended is shown as it is.
            guard error.code.isNegative else { throw error }
        }
    }

    /// Returns the request, whose defaults depend on the environment and the terminal.
    private static func request(_ call: Call, on console: Console) throws(VTError) -> AttachRequest {
        var request = AttachRequest()
        request.isReadOnly = call[readOnly]
        request.resizes = !call[noResize] && call[size] == nil
        let hasTerminal = console.input.isTerminal && console.output.isTerminal
        request.reconnects = call[noReconnect] ? .none : hasTerminal ? .endless : .standard
        if let limit = call[reconnectFor] {
            request.reconnects = .endless
            request.reconnects.timeLimit = limit
        }
        if let choice = call[detachKey] {
            request.detachKey = choice.key
        } else {
            request.detachKey = try DetachKey.preferred(in: console.environment)
        }
        return request
    }

    /// Checks that a local session is not attached to its own terminal, and links the client's SSH agent into the
    /// session.
    private static func prepare(
        _ session: Session,
        _ request: AttachRequest,
        in context: Context
    ) throws(VTError) {
        guard session.state.isLive else { return }
        // The session's program is the session leader of all processes on its terminal (setsid(2), credentials(7)).
        if let program = session.program, context.console.output.isTerminal, getsid(0) == program.processID {
            throw VTError(
                .usage,
                "cannot attach session '\(session.name)' to its own terminal",
                hint: "to see its output, use 'vt sessions logs \(session.name)'"
            )
        }
        guard !request.isReadOnly, let socket = context.console.environment["SSH_AUTH_SOCK"] else { return }
        let files = SessionFiles(of: session.id, in: try context.world.directories().sessions)
        // The agent is optional, so a failure to link it is not an error.
        if socket != files.agent { try? FileContents.replaceLink(files.agent, with: socket) }
    }
}
