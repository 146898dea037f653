import Arguments
import Core
import Runtime
import Services
import Storage
import System
import Terminal

/// Runs a line in the shell of a session: `vt sessions exec SESSION LINE`.
package enum SessionExecCommand: Command {
    static let assumeShell = Option(
        "assume-shell",
        .choice("SHELL", AssumedShell.allCases),
        excludes: [stdin],
        summary: "type the line into a shell without a hook, such as one that ssh, sudo or docker has started",
        details: "SHELL is 'sh' for any POSIX shell. Nothing proves that such a shell is at its prompt: otherwise, the "
            + "program that reads the terminal gets the line. The line is typed as one command that prints marks before "
            + "and after the output, so it must fit into 4095 bytes, encoded, unless the shell has a line editor. After ^C, "
            + "the result is usually 'unknown'. If the session's own shell is at its prompt, the option has no effect."
    )
    private static let file = Option(
        "file",
        .text("FILE", completion: .file),
        excludes: [stdinLine],
        summary: "run the contents of FILE instead of LINE"
    )
    private static let stdinLine = Option.flag(
        "stdin-line",
        excludes: [stdin],
        summary: "run standard input instead of LINE"
    )
    static let stdin = Option.flag(
        "stdin",
        summary: "pass standard input to the command",
        details: "The command reads a file with the contents of vt's standard input, which is read to its end first, "
            + "instead of the terminal."
    )
    static let raw = Option.flag(
        "raw",
        excludes: [screen],
        summary: "print the bytes of the output instead of its text"
    )
    private static let plain = Option.flag(
        "plain",
        excludes: [raw, screen],
        summary: "print the output as the text that a terminal would show (the default)"
    )
    static let screen = Option.flag(
        "screen",
        excludes: [maxOutput],
        summary: "print the last screen of a full-screen program instead of the output",
        details: "The screen is that before the program left the alternate screen or, if it did not use that, at the "
            + "end of the output."
    )
    static let maxOutput = Option(
        "max-output",
        .byteCount,
        summary: "print at most SIZE of output: lines of the first half and of the last half",
        details: "The size is that of the output before it is converted to text. The command is never stopped. A line "
            + "in the gap says how many bytes are missing, and how to print them; with --raw, that is reported on "
            + "standard error instead. A line longer than half of SIZE is cut between two characters if nothing else "
            + "remains of that half; the report then says so."
    )
    static let whenReady = Option(
        "when-ready",
        .duration,
        summary: "wait up to DURATION until the shell is at its prompt",
        details: "Without this option, a shell that is running a command is an error (busy), except that vt waits up "
            + "to ten seconds for the first prompt of a new session, or until a shell at its prompt takes the line. "
            + "Lines that wait are run in the order in which they were sent. A line for a session that is frozen or paused "
            + "waits until it has been resumed."
    ).formerly("wait")
    static let timeout = Option(
        "timeout",
        .duration,
        summary: "stop waiting when the command has run for this long, and leave it running",
        details: "The time counts from the start of the command; --when-ready limits the time before that."
    )
    static let idleTimeout = Option(
        "idle-timeout",
        .duration,
        summary: "stop waiting when there has been no output for DURATION"
    )
    static let returnsOnInput = Option.flag(
        "return-on-input",
        summary: "stop waiting when the program asks for input, such as a password or a confirmation",
        details:
            "The program asks for input if it is in the foreground and reads from the terminal, and the cursor is not at "
            + "the start of a row, or the program fills the screen, as pagers and editors do. VibeTunnel servers do not "
            + "report whether a program reads."
    )
    static let requestID = Option(
        "request-id",
        .text("ID"),
        summary: "run LINE only once for all calls with the same ID and LINE",
        details: "If the shell has already received LINE with this ID, wait for its end, or print the result again, "
            + "instead of running it. This makes it safe to repeat a call whose result was lost. The session remembers "
            + "its last 256 lines, until its program ends. If several calls wait for the same line, the last one gets the result, and the "
            + "others fail (busy). The duration in the JSON document is that of the wait."
    )
    static let interrupt = Option.flag(
        "interrupt",
        summary: "when the timeout expires, or vt is interrupted, send ^C to the command, and then ^\\",
        details: "When --idle-timeout expires, only ^C is sent."
    )
    private static let timeoutStatus = Option(
        "timeout-status",
        .number("STATUS", in: 1...255),
        default: "124",
        summary: "exit with STATUS when a timeout expires, or the command waits for input"
    )

    package static let spec = CommandSpec(
        ["sessions", "exec"],
        summary: "run a line in the shell of a session",
        description: [
            "Runs LINE in the shell of a session, prints the output of its command, and exits with its status. The "
                + "shell keeps its state: directory, variables, functions and activated environments remain for the "
                + "next line.",
            "The words of LINE are joined by spaces; options end at its first word. LINE may contain several lines, "
                + "quotes and any other character except NUL.",
            SessionOperand.explanation,
            "# Shells",
            "The shell must be at its prompt, and must be one for which vt has a hook: bash 4.4 or later, zsh, fish, "
                + "dash or busybox ash. The hook passes LINE to the shell out of band, not through the terminal, and "
                + "reports exactly where the output starts and ends, whatever the command prints. LINE is shown as if "
                + "it had been typed, and bash, zsh and fish 4 add it to their history. Text that was already typed "
                + "at the prompt is restored afterward, except in dash and busybox ash.",
            "For other shells, such as those that ssh, sudo or docker has started in the session, and for bash with "
                + "the line editor ble.sh, use --assume-shell.",
            "# Results",
            "LINE is one command for the shell, with one status; a syntax error is the shell's own. If the shell "
                + "exits, its status is that of vt. If LINE replaces the shell ('exec PROGRAM'), vt exits with the "
                + "status of the program if it ends at once, and otherwise with 255. With --json, one document "
                + "describes the result, including a timeout.",
            "# Commands that do not end",
            "When --timeout or --idle-timeout expires, or --return-on-input takes effect, the command keeps running, "
                + "and the error contains the offset of its output for 'vt sessions logs --from'. To wait for its "
                + "end, use 'vt sessions wait SESSION --prompt'. Interrupting vt also leaves the command running, "
                + "unless --interrupt is given.",
            "# Programs that are not shells",
            "With --repl or --prompt, LINE is typed at the prompt of a program, and what is shown between LINE and "
                + "the next prompt is printed as text. Nothing is sent (busy) unless the program shows its prompt, "
                + "there is no more output (--settle) and, if vt can find out, it reads from the terminal. Several "
                + "lines are pasted as one if the program supports it, and otherwise typed one by one.",
            "The exit status is 0, or 1 if a line of the output looks like an error message of PROGRAM in English. If "
                + "the program shows a pager or asks a question, vt exits with 124. In a shell that ssh, su or docker "
                + "has started, --prompt '[$#] $' does not report the exit status of LINE, but types nothing except "
                + "LINE.",
        ],
        operands: [SessionOperand.session, OperandSpec("LINE", .optionalCommandWords)],
        options: [
            assumeShell, file, stdinLine, stdin, plain, raw, screen, maxOutput, whenReady, timeout, idleTimeout,
            returnsOnInput, requestID, interrupt, timeoutStatus, repl, prompt, settle, SessionAskCommand.force,
        ] + ConnectionOptions.options,
        commonOptions: [timeout, returnsOnInput, whenReady, maxOutput, repl],
        examples: [
            ExampleSpec("vt sessions exec dev 'cd /srv/app && git pull'", "run a line; the directory remains"),
            ExampleSpec("vt sessions exec web:deploy --timeout 10m make test", "run a line on a server"),
            ExampleSpec(
                "vt sessions exec dev --json 'npm test' | jq .exit.code",
                "get the status and the output as JSON"
            ),
            ExampleSpec(
                "vt sessions exec dev --assume-shell bash uptime",
                "run a line in the shell at the other end of ssh"
            ),
            ExampleSpec("vt sessions exec dev --file setup.sh", "run a file in the shell, as one command"),
            ExampleSpec("vt sessions exec db --repl psql 'select now();'", "run a line in psql"),
        ],
        exitCodes: VTError.Code.ofHolders,
        statuses: [
            124: "a timeout expired, or the command waits for input; it is still running"
        ],
        passesStatusThrough: true
    )

    package static var documents: [DocumentSpec] {
        [.document(SessionExecDocument.self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        let hasLine = !call.commandWords.isEmpty
        if call.contains(file) || call[stdinLine] {
            guard !hasLine else { throw VTError(.usage, "LINE cannot be used with --file or --stdin-line") }
        } else if !hasLine {
            throw VTError(.usage, "missing LINE", hint: "add a line to run, --file FILE or --stdin-line")
        }
        guard call[requestID] != "" else { throw VTError(.usage, "the ID of --request-id is empty") }
        guard !call.contains(settle) || call.contains(repl) || call.contains(prompt) else {
            throw VTError(.usage, "--settle requires --repl or --prompt")
        }
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling {
        call[interrupt] ? .cancel : .brokenPipe
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let input = context.console.input.source()
        var execution = LineExecution(try await line(call, from: input))
        guard !execution.line.contains(0) else { throw VTError(.dataInvalid, "the line contains a NUL byte") }
        if call[stdin] { execution.input = try await input.contents(limit: inputLimitBytes) }
        if let requestID = call[Self.requestID] {
            // The same ID with another line is another request.
            execution.token = Digests.sha256(Array("\(requestID)\0".utf8) + execution.line).hexadecimal
        }
        execution.assumedShell = call[assumeShell]
        execution.patience = call[whenReady]
        execution.timeout = call[timeout]
        execution.interrupts = call[interrupt]
        execution.isForced = call[SessionAskCommand.force]
        let reference = call[SessionOperand.session]
        let replLine = try replLine(execution.line, call)
        let form: OutputPrinter.Form = replLine != nil ? .text : call[raw] ? .raw : call[screen] ? .screen : .plain
        let limit = call[maxOutput].map { Int($0) }
        let printer = OutputPrinter(form, limit: limit, of: replLine == nil ? reference : nil, in: context)
        let (outcome, line) = try await SessionOperand.withClient(of: reference, in: context) {
            client throws(VTError) in
            let (outcome, line): (LineOutcome, String?)
            let watch = StallWatch(reference.session, at: client, printer, on: context.world.clock)
            do throws(VTError) {
                (outcome, line) = try await firstResult { [execution] tasks in
                    if let replLine {
                        return tasks.add { () async throws(VTError) in
                            let session = try await client.session(reference.session)
                            let lock = try await inputLock(of: session, reference, within: call[whenReady], in: context)
                            defer { withExtendedLifetime(lock) {} }
                            let (name, clock) = (reference.session, context.world.clock)
                            return try await replLine.run(in: session, named: name, at: client, printer, on: clock)
                        }
                    }
                    tasks.add { () async throws(VTError) in
                        let (session, started) = (reference.session, watch.started)
                        return (try await client.call(execution, on: session, receiver: watch, onStart: started), nil)
                    }
                    guard call.contains(idleTimeout) || call[returnsOnInput] else { return }
                    tasks.add { () async throws(VTError) in try await stalled(watch, call) }
                }
            } catch {
                if error.isCancellation, !execution.interrupts, let start = watch.start {
                    let rest = "continues; its output starts at offset \(start)"
                    context.diagnostics.note("the command in '\(reference.text)' \(rest)")
                }
                throw hinted(error, call)
            }
            if form == .screen {
                let request = ScreenRequest(offset: printer.screenEnd ?? outcome.end)
                let screen = try await client.call(request, on: reference.session).emulator().screen()
                try await printer.write(Array(TextRenderer.render(screen).utf8))
            }
            try await printer.flush()
            return (outcome, line)
        }
        if context.global.json {
            let document = SessionExecDocument(outcome, output: printer.collected, gap: printer.gap, line: line)
            try context.output.json(document)
        }
        return try exit(of: outcome, call, waitingIn: line, endsInLine: printer.endsInLine, in: context)
    }

    /// Waits until the command prints nothing or waits for input; returns the outcome, and the row of the input.
    private static func stalled(_ watch: StallWatch, _ call: Call) async throws(VTError) -> (LineOutcome, String?) {
        switch try await watch.stall(idle: call[idleTimeout], returnsOnInput: call[returnsOnInput]) {
        case .silence: (watch.outcome(.idle), nil)
        case .input(let row): (watch.outcome(.input), row)
        }
    }

    /// Adds to a lost connection how to find out what has become of the line.
    private static func hinted(_ error: VTError, _ call: Call) -> VTError {
        guard error.code == .hostUnreachable, error.hint == nil, call[SessionOperand.session].profile != nil else {
            return error
        }
        var error = error
        error.hint =
            call[requestID] == nil
            ? "the line may have run; with --request-id ID, the command can be repeated without running it again"
            : "repeat the command with the same --request-id; the line does not run again"
        return error
    }

    private static func line(_ call: Call, from input: any ByteSource) async throws(VTError) -> [UInt8] {
        if call[stdinLine] { return try await input.contents(limit: lineLimitBytes) }
        guard let path = call[file] else {
            return Array(call.commandWords.map(\.bytes).joined(separator: [UInt8(ascii: " ")]))
        }
        guard let line = try FileContents.read(path) else {
            throw VTError(.notFound, "'\(path)' does not exist")
        }
        guard line.count <= lineLimitBytes else {
            throw VTError(.dataInvalid, "'\(path)' is longer than \(lineLimitBytes) bytes")
        }
        return line
    }

    /// The maximum size of the command's input.
    private static let inputLimitBytes = 64 << 20

    /// The maximum length of a line.
    private static let lineLimitBytes = 1 << 20

    private static func exit(
        of outcome: LineOutcome,
        _ call: Call,
        waitingIn line: String?,
        endsInLine: Bool,
        in context: Context
    ) throws(VTError) -> ProcessExit {
        let name = call[SessionOperand.session].text
        let timeout = call[Self.timeout]?.shortText ?? ""
        let timeoutStatus = UInt8(call[Self.timeoutStatus] ?? 124)
        switch outcome.kind {
        case .exit:
            guard let exit = outcome.exit else { break }
            return .status(exit.shellStatus)
        case .sessionEnded:
            context.diagnostics.note("'\(name)' has ended")
            guard let exit = outcome.exit else { throw VTError(.ended, "'\(name)' was lost") }
            return .status(exit.shellStatus)
        case .interrupted:
            context.diagnostics.failure("'\(name)': interrupted the command after \(timeout)")
            return .status(timeoutStatus)
        case .timedOut, .idle:
            let idle = call[idleTimeout]?.shortText ?? ""
            let reason = outcome.kind == .idle ? "has printed nothing for \(idle)" : "is still running after \(timeout)"
            context.diagnostics.failure(
                "'\(name)': the command \(reason); its output starts at offset \(outcome.start), and \(outcome.end) has "
                    + "been reached"
            )
            if let line {
                context.diagnostics.note("the row with the cursor is '\(line.sanitized)'")
            } else if endsInLine {
                let answer = "'vt sessions send \(name) TEXT --enter --wait prompt --print'"
                context.diagnostics.note("its last line is incomplete; if it asks for input, use \(answer)")
            }
            return .status(timeoutStatus)
        case .input:
            context.diagnostics.failure("'\(name)': the command waits for input: \((line ?? "").sanitized)")
            let isProgram = call.contains(repl) || call.contains(prompt)
            let wait = isProgram ? "" : " --wait prompt --print"
            context.diagnostics.note(
                line?.isEmpty ?? true
                    ? "to see what it shows, use 'vt sessions screen \(name)'"
                    : "to answer, use 'vt sessions send \(name) TEXT --enter\(wait)'"
            )
            return .status(timeoutStatus)
        case .replaced:
            throw VTError(
                .negative,
                "the command has replaced the shell of '\(name)'; how it ends is unknown",
                hint: "to wait for its end, use 'vt sessions wait \(name) --exit'"
            )
        case .unknown: break
        }
        throw VTError(.negative, "the shell of '\(name)' has not reported how the command ended")
    }
}
