import Arguments
import Core
import Services
import System

/// Starts a program in a new session: `vt sessions create`.
package struct SessionCreateCommand: Command {
    static let cwd = Option("cwd", .text("DIR", completion: .directory), summary: "start in this directory")
    static let env = SharedOptions.environment(of: "the session")
    private static let size = Option(
        "size",
        .terminalSize,
        summary: "set the terminal size; the default is the size of this terminal, or 80x24"
    )
    private static let term = Option(
        "term",
        ValueKind("TERM", parse: terminalType),
        default: "xterm-256color",
        summary: "set the terminal type"
    )
    static let tag = Option("tag", ValueKind("TAG", parse: Tag.parse), summary: "add a tag to the session")
        .repeatable()
    private static let logMax = Option(
        "log-max",
        .byteCount,
        default: "64M",
        summary: "keep at least the last SIZE of output; discard older output"
    )
    private static let logInput = Option.flag(
        "log-input",
        summary: "log input, for recordings with --input",
        details: "Input is logged only while the terminal echoes it: passwords are not logged, nor are keys typed into "
            + "editors and shells, which display the input themselves."
    )
    private enum ShellIntegration: String, CaseIterable {
        case auto, off
    }

    private static let shellIntegration = Option(
        "shell-integration",
        .choice("WHEN", ShellIntegration.allCases),
        default: "auto",
        summary: "choose whether an interactive shell reports its prompts and commands to vt",
        details: "With 'auto', bash 4.4 or later, zsh, fish, dash and busybox ash are started with a hook, which 'vt "
            + "sessions exec' needs, and which 'vt sessions show' and 'wait --prompt' use. The files of the user are read "
            + "as usual, and not changed."
    )
    private static let ifExists = Option(
        "if-exists",
        .choice("WHAT", SessionCreation.IfExists.allCases),
        default: "fail",
        summary: "choose what to do if a session with this name exists",
        details: "'ok' keeps a live session and prints its ID once its program is running, and replaces an ended "
            + "session. 'replace' ends and removes the existing session first, including processes left by a lost "
            + "session."
    )
    private static let rm = Option.flag(
        "rm",
        excludes: [keepFor],
        summary: "remove the session when it has ended",
        details: "Clients that follow or wait for the session before it ends still get the rest of its output and its "
            + "exit status; the session is removed once they have exited. To be able to get the exit status later, use "
            + "--keep-for instead."
    )
    private static let keepFor: Option<Duration?> = Option(
        "keep-for",
        .duration(atLeast: .seconds(1)),
        excludes: [rm],
        summary: "remove the session this long after it has ended, such as 7d",
        details: "There is no background process that removes sessions: from then on, the next 'vt sessions create' or "
            + "'list', or 'cleanup' with a filter, of the same user on the machine of the session removes it. 'create' "
            + "looks for such sessions at most once a minute. A lost session is removed this long after its loss was "
            + "noticed, but never while its processes are running."
    )
    private static let requireSurvive = Option.flag(
        "require-survive",
        summary: "fail unless the session is certain to survive a logout"
    )

    package static let spec = CommandSpec(
        ["sessions", "create"],
        summary: "start a program that keeps running after you disconnect",
        description: [
            "Starts COMMAND, or the login shell, with its own terminal in a new session, and prints the ID of the "
                + "session. COMMAND is run with exactly the given words, without a shell. NAME is the name of the "
                + "session; PROFILE:NAME starts the session on a server, which must have vt installed (see 'vt "
                + "install').",
            "'vt sessions create' returns once the program is running and all of its output is being logged. If the "
                + "program cannot be started, no session is created, and nothing that the program may have started keeps "
                + "running. The session does not inherit open files from its "
                + "creator.",
            "The session gets PATH, HOME, LANG, LC_*, TZ, XDG_RUNTIME_DIR, XDG_CONFIG_HOME, XDG_STATE_HOME and VT_HOME "
                + "from the environment of the vt that creates it; on a server, that is the environment of commands "
                + "run over SSH. USER, LOGNAME and SHELL describe the user, TERM the terminal, PWD the directory, and "
                + "VT_SESSION is the ID of the session. SSH_AUTH_SOCK points to the agent of the last client to attach "
                + "or, before any has attached, of the client that created the session. Add other variables with --env "
                + "and --pass-env.",
        ],
        operands: [OperandSpec("NAME"), OperandSpec("COMMAND", .optionalCommandWords, completion: .command)],
        options: [
            cwd, env, PassedVariables.option, size, term, tag, logMax, logInput, shellIntegration, ifExists, rm,
            keepFor,
            requireSurvive,
        ],
        examples: [
            ExampleSpec("vt sessions create build -- make -j8", "run a build that continues after you disconnect"),
            ExampleSpec(
                "id=$(vt sessions create web:shell)",
                "start a login shell on a server and save the session ID"
            ),
            ExampleSpec(
                "vt sessions create db --cwd /srv --env PGPORT=5433 --if-exists ok -- ./run",
                "use the existing session with this name, or create one"
            ),
            ExampleSpec(
                "vt sessions create ci-42 --keep-for 7d -- make test",
                "run a test whose session is removed a week after it has ended"
            ),
        ],
        files: FileSpec.ofSessions,
        exitCodes: VTError.Code.ofConnections + [.negative, .exists, .cannotCreate, .busy]
    )

    package static var documents: [DocumentSpec] {
        [.document(SessionDocument.self)]
    }

    private let reference: SessionReference
    private let creation: SessionCreation
    private let passed: PassedVariables
    private let size: TerminalSize?

    package init(_ arguments: ParsedArguments) throws(VTError) {
        reference = try arguments.operand("NAME", parse: SessionReference.init(parsing:))
        var creation = SessionCreation(name: try SessionName(reference.session), command: arguments.commandWords)
        creation.directory = try arguments[Self.cwd]
        creation.variables = try arguments[Self.env]
        creation.terminalType = try arguments[Self.term] ?? creation.terminalType
        creation.tags = try arguments[Self.tag]
        creation.logLimitBytes = try arguments[Self.logMax].map { UInt64($0) } ?? creation.logLimitBytes
        creation.logsInput = arguments[Self.logInput]
        creation.integratesShell = try arguments[Self.shellIntegration] != .off
        creation.keepFor = try arguments[Self.keepFor]
        if arguments[Self.rm] { creation.keepFor = .zero }
        creation.ifExists = try arguments[Self.ifExists] ?? creation.ifExists
        creation.mustSurvive = arguments[Self.requireSurvive]
        self.creation = creation
        passed = try PassedVariables(arguments)
        size = try arguments[Self.size]
    }

    package func signalHandling(on console: Console) -> SignalHandling {
        // SIGPIPE must not terminate vt before it has removed a session whose ID could not be printed.
        .brokenPipe
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        // If the ID cannot be printed, fail before the session is created.
        try context.output.checkIsWritable()
        var creation = creation
        creation.variables = passed.variables(in: context) + creation.variables
        creation.size = size ?? context.console.terminalSize ?? creation.size
        try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            let (session, isNew) = try await client.create(creation)
            let document = SessionDocument(session, profile: reference.profile, isNew: isNew)
            do throws(VTError) {
                try context.show(document) { session.id.text }
            } catch {
                throw isNew ? await withdraw(session, from: client, after: error) : error
            }
        }
        return 0
    }

    /// Kills and removes a session whose ID could not be printed; returns the error to report.
    private func withdraw(
        _ session: Session,
        from client: SessionClient,
        after failure: VTError
    ) async -> VTError {
        var failure = failure
        do throws(VTError) {
            let removal = try await client.killAndRemove(session.id.text, grace: .seconds(1))
            if removal.survivors.isEmpty { return failure }
        } catch {
            failure.causes.append(error.message)
        }
        let name = SessionReference(profile: reference.profile, session: session.name).text
        failure.hint = "the session still exists: vt sessions kill \(name)"
        return failure
    }

    private static func terminalType(_ text: String) throws(VTError) -> String {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21..<0x7f).contains($0) && $0 != UInt8(ascii: "/") }) else {
            throw VTError(.usage, "invalid terminal type '\(text)'", hint: "see term(7)")
        }
        return text
    }
}
