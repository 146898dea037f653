import Arguments
import Core
import Glibc
import POSIX
import Services

/// Starts a program in a session of its own: `vt sessions create`.
package struct SessionCreateCommand: Command {
    package static let spec = CommandSpec(
        ["sessions", "create"],
        summary: "start a program that outlives its creator",
        description: [
            "Starts COMMAND with exact words on a terminal of its own, without COMMAND the login shell, and prints the "
                + "id of the session. NAME is the session's name; PROFILE:NAME starts it on a server, which needs vt "
                + "(see 'vt install').",
            "It returns once the program runs and every byte of its output from the first on is logged. When the "
                + "program cannot be started, there is no session. The session keeps no file of its creator open.",
            "The environment is the same wherever a session is created: HOME, USER, LOGNAME, SHELL, PATH, the locale, "
                + "TZ and XDG_RUNTIME_DIR, besides TERM and VT_SESSION, the session's id. SSH_AUTH_SOCK leads to the "
                + "agent of whoever created it or attached last. All else is given with --env and --pass-env.",
        ],
        operands: [OperandSpec("NAME"), OperandSpec("COMMAND", .optionalCommandWords, completion: .command)],
        options: [
            OptionSpec("cwd", value: ValueSpec("DIR", completion: .directory), summary: "start in this directory"),
            OptionSpec(
                "env",
                value: ValueSpec("NAME=VALUE"),
                isRepeatable: true,
                summary: "set an environment variable for the session"
            ),
            OptionSpec(
                "pass-env",
                value: ValueSpec("NAME", completion: .environmentName),
                isRepeatable: true,
                summary: "give the session this variable as it is here"
            ),
            OptionSpec(
                "env-stdin",
                value: ValueSpec("BYTES"),
                summary: "read variables from standard input, which has just so many bytes",
                details: "Each is NAME=VALUE and ends with a NUL byte. They appear in no process list; another vt "
                    + "gives a session on this machine its variables so."
            ),
            OptionSpec("size", value: ValueSpec("COLSxROWS", defaultText: "80x24"), summary: "set the terminal's size"),
            OptionSpec(
                "term",
                value: ValueSpec("TERM", defaultText: "xterm-256color"),
                summary: "name the kind of terminal"
            ),
            OptionSpec("tag", value: ValueSpec("TAG"), isRepeatable: true, summary: "give the session a tag"),
            OptionSpec(
                "log-max",
                value: ValueSpec("SIZE", defaultText: "64M"),
                summary: "keep so much output; what is older is released"
            ),
            OptionSpec(
                "log-input",
                summary: "log what is typed, for recordings with input",
                details: "Only what the terminal echoes: passwords are not logged, and neither are keys for editors "
                    + "and shells, which show by themselves what is typed."
            ),
            OptionSpec(
                "if-exists",
                value: ValueSpec(
                    "WHAT",
                    choices: SessionOrder.IfExists.allCases.map(\.rawValue),
                    defaultText: SessionOrder.IfExists.fail.rawValue
                ),
                summary: "what to do when there is a session of this name",
                details:
                    "With 'ok' a live session is left as it is and its id printed, once its program runs, and one that "
                    + "has ended makes room. With 'replace' the session is ended and removed first, with what a lost "
                    + "one left behind."
            ),
            OptionSpec("require-survive", summary: "fail unless the session is certain to outlive this login"),
        ],
        examples: [
            ExampleSpec("vt sessions create build -- make -j8", "run a build that goes on without us"),
            ExampleSpec("id=$(vt sessions create web:shell)", "start a login shell on a server and keep its id"),
            ExampleSpec(
                "vt sessions create db --cwd /srv --env PGPORT=5433 --if-exists ok -- ./run",
                "have a session of this name, new or not"
            ),
        ],
        exitCodes: SessionOperand.exitCodes + [.exists, .cannotCreate, .busy]
    )

    private let reference: SessionReference
    private let order: SessionOrder
    private let passedNames: [String]
    private let environmentBytes: Int?

    package init(_ arguments: ParsedArguments) throws(VTError) {
        reference = try arguments.operand("NAME") { text throws(VTError) in try SessionReference(parsing: text) }
        var order = SessionOrder(name: try SessionName(reference.session), command: arguments.commandWords)
        order.directory = arguments.value("cwd")
        order.variables = try arguments.values("env") { text throws(VTError) in try EnvironmentVariable(text) }
        order.size =
            try arguments.value("size") { text throws(VTError) in try TerminalSize(parsing: text) } ?? order.size
        order.terminalType = try arguments.value("term", parse: Self.terminalType) ?? order.terminalType
        order.tags = try arguments.values("tag", parse: Self.tag)
        order.logLimitBytes = try arguments.value("log-max", parse: Self.logLimit) ?? order.logLimitBytes
        order.logsInput = arguments.flag("log-input")
        order.ifExists = arguments.choice("if-exists", of: SessionOrder.IfExists.self) ?? order.ifExists
        order.mustSurvive = arguments.flag("require-survive")
        self.order = order
        environmentBytes = try arguments.value("env-stdin") { text throws(VTError) in
            Int(clamping: try ByteCountText.parse(text))
        }
        passedNames = try arguments.values("pass-env") { name throws(VTError) in
            guard EnvironmentVariable.isName(name) else {
                throw VTError(.usage, "'\(name)' cannot be an environment variable")
            }
            return name
        }
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        // The id would be lost, and with it whatever was started.
        try context.output.checkIsWritable()
        var order = order
        var variables: [EnvironmentVariable] = []
        if let environmentBytes {
            let input = ThreadedInput(StandardStream.input.rawValue)
            variables = try await EnvironmentInput.read(count: environmentBytes, from: input)
        }
        order.variables = variables + passedVariables(context.diagnostics) + order.variables
        // A reader that has gone must not end this process before the session is removed.
        signal(SIGPIPE, SIG_IGN)
        try await SessionOperand.withSite(of: reference, in: context) { site throws(VTError) in
            let (session, isNew) = try await site.create(order)
            let document = SessionDocument(session, profile: reference.profile, isNew: isNew)
            do throws(VTError) {
                try context.show(document) { session.id.text }
            } catch {
                let failure = isNew ? await Self.withdraw(session, from: site, after: error) : error
                if StandardStream.output.hasLostReader { SignalThread.die(of: SIGPIPE) }
                throw failure
            }
        }
        return 0
    }

    /// Ends and removes a session whose id could not be told; returns the error to tell.
    private static func withdraw(
        _ session: SessionRecord,
        from site: any SessionSite,
        after failure: VTError
    ) async -> VTError {
        var failure = failure
        do throws(VTError) {
            let id = session.id.text
            var survivors: [String] = []
            if try await site.session(id).state.isLive {
                survivors = try await site.kill(id, signal: nil, grace: .seconds(1))
            }
            if survivors.isEmpty {
                _ = try await site.cleanUp([id], SessionFilter(), isDryRun: false)
                return failure
            }
        } catch {
            failure.causes.append(error.message)
        }
        failure.hint = "the session was created: vt sessions kill \(session.name)"
        return failure
    }

    private func passedVariables(_ diagnostics: any Diagnostics) -> [EnvironmentVariable] {
        passedNames.compactMap { name in
            // An empty value counts as one that is not there: no program makes a difference that matters here.
            let variable = Environment.process[name].flatMap { try? EnvironmentVariable("\(name)=\($0)") }
            if variable == nil { diagnostics.note("'\(name)' is not set here and is not passed") }
            return variable
        }
    }

    private static func logLimit(_ text: String) throws(VTError) -> UInt64 {
        UInt64(try ByteCountText.parse(text))
    }

    private static func terminalType(_ text: String) throws(VTError) -> String {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21..<0x7f).contains($0) && $0 != UInt8(ascii: "/") }) else {
            throw VTError(.usage, "'\(text)' cannot be the kind of a terminal", hint: "see term(7)")
        }
        return text
    }

    private static func tag(_ text: String) throws(VTError) -> String {
        guard !text.isEmpty, !text.contains(where: { $0.isWhitespace || $0 == "," }) else {
            throw VTError(.usage, "'\(text)' cannot be a tag", hint: "use a word without spaces and commas")
        }
        return text
    }
}
