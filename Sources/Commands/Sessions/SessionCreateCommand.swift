import Arguments
import Core
import Services
import System

/// Starts a program in a new session: `vt sessions create`.
package enum SessionCreateCommand: Command {
    private static let rm = Option.flag(
        "rm",
        excludes: [NewSessionOptions.keepFor],
        summary: "remove the session when it has ended",
        details: "Clients that follow or wait for the session before it ends still get the rest of its output and its "
            + "exit status; the session is removed once they have exited. To be able to get the exit status later, use "
            + "--keep-for instead."
    )
    package static let spec = CommandSpec(
        ["sessions", "create"],
        summary: "start a program that keeps running after you disconnect",
        description: [
            "Starts COMMAND, or the login shell, with its own terminal in a new session, and prints the ID of the "
                + "session. It keeps running when you disconnect or log out, until it ends or is killed.",
            "COMMAND is run with exactly the given words, without a shell. NAME is the name of the session; "
                + "TARGET:NAME starts the session on a server, which must have vt installed (see 'vt help install').",
            "# Start",
            "The command returns once the program is running and all of its output is being logged. If the program "
                + "cannot be started, no session is created, and nothing that the program may have started keeps "
                + "running. The session does not inherit open files from its creator.",
            "# Environment",
            "The session gets PATH, HOME, LANG, LC_*, TZ, XDG_RUNTIME_DIR, XDG_CONFIG_HOME, XDG_STATE_HOME and "
                + "VT_HOME from the environment of the vt that creates it; on a server, that is the environment of "
                + "commands run over SSH. USER, LOGNAME and SHELL describe the user, TERM the terminal, PWD the "
                + "directory, and VT_SESSION is the ID of the session. SSH_AUTH_SOCK points to the agent of the last "
                + "client to attach or, before any has attached, of the client that created the session. Add other "
                + "variables with --env and --pass-env.",
        ],
        operands: [NewSessionOptions.name, OperandSpec("COMMAND", .optionalCommandWords, completion: .command)],
        options: NewSessionOptions.options + [rm] + ConnectionOptions.options,
        commonOptions: NewSessionOptions.common,
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
        exitCodes: VTError.Code.ofConnections + [.negative, .exists, .cannotCreate, .busy]
    )

    package static var documents: [DocumentSpec] {
        [.document(SessionDocument.self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        _ = try NewSessionOptions(call)
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling {
        // SIGPIPE must not terminate vt before it has removed a session whose ID could not be printed.
        .brokenPipe
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        // If the ID cannot be printed, fail before the session is created.
        try context.output.checkIsWritable()
        let reference = call[NewSessionOptions.name]
        var creation = try NewSessionOptions(call).creation(in: context)
        if call[rm] { creation.keepFor = .zero }
        try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            let (session, isNew) = try await client.call(creation)
            let document = SessionDocument(session, profile: reference.profile, isNew: isNew)
            do throws(VTError) {
                try context.show(document) { session.id.text }
            } catch {
                throw isNew ? await withdraw(session, of: reference.profile, from: client, after: error) : error
            }
        }
        return 0
    }

    /// Kills and removes a session whose ID could not be printed; returns the error to report.
    private static func withdraw(
        _ session: Session,
        of profile: String?,
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
        let name = SessionReference(profile: profile, session: session.name).text
        failure.hint = "the session still exists: vt sessions kill \(name)"
        return failure
    }
}
