import Arguments
import Core
import Glibc
import Recording
import Services
import System

/// Records a session, or runs a command and records it: `vt record`.
package enum RecordCommand: Command {
    private static let session = SessionOperand.optionalSession

    package static let spec = CommandSpec(
        ["record"],
        summary: "record a session, a command or your shell as an asciicast",
        description: [
            "Records COMMAND in a new session until it exits, and exits with its status; or exports a running or "
                + "ended session to FILE, with the exact times of its output. Without SESSION and COMMAND, records "
                + "your shell ($SHELL) or, with --profile, the login shell on the server; exit the shell to end the "
                + "recording.",
            SessionOperand.explanation,
            "# Recording a session",
            "The recording starts with the first byte that the log retains; with --follow, it continues until the "
                + "session ends. The session is not affected. A session on a server is recorded by vt on the server, "
                + "and FILE is identical to a recording made there.",
            "# Recording a command",
            "If standard input and output are a terminal, COMMAND is interactive: it starts on an empty screen, with "
                + "the size of the terminal unless --size is given, and receives what is typed, including Control-C. "
                + "^] and then m, within 0.5 seconds, adds a marker; to send ^] itself, press it twice. --marker-key "
                + "sets another key. Otherwise, and in a background job, COMMAND gets no input, and its output is "
                + "copied to standard output, unless the recording is written there or --quiet is given.",
            "On this machine, COMMAND inherits the environment of vt, except variables that are not UTF-8; on a "
                + "server, it has the environment described in 'vt help sessions create'. Input is not recorded, "
                + "unless --input is given.",
            "The session is removed afterward, unless --keep is given or recording failed.",
            "# Signals",
            "HUP, INT and TERM are forwarded to COMMAND, which is terminated if it is still running three seconds "
                + "after the first of them; losing the terminal has the effect of HUP. Even then, the recording is "
                + "complete. If vt itself is killed with KILL, COMMAND keeps running in its session; end it with 'vt "
                + "sessions kill SESSION --rm'.",
            "# Scripts",
            "With --script, vt types into COMMAND at the speed of a person. FILE has one step per line; empty lines "
                + "and lines that start with # are ignored:",
            "    send TEXT                  type TEXT, up to the end of the line",
            "    key KEY...                 press keys, named as in 'vt sessions send --key'",
            "    exec LINE                  type LINE at the prompt of the shell, and wait until the command has "
                + "ended",
            "    wait TEXT                  wait for a line with TEXT",
            "    wait --match EXPRESSION    wait for a line, as 'vt sessions wait' does",
            "    wait --prompt              also: wait --idle DURATION, wait --exit",
            "    sleep DURATION             pause",
            "    mark [LABEL]               add a marker",
            "A wait examines the output since the last send, key or exec step, and after the text of an earlier wait. exec requires a shell that reports its prompt (see 'vt help sessions "
                + "create').",
            "The script is checked before COMMAND starts. It stops at the first step that fails, including a command "
                + "of exec that fails; the step is reported with its line, the recording ends there, and the exit "
                + "status is 1, or 124 if the time for the step expired. A program that is still running at the end "
                + "of the script is terminated; 'exec exit' as the last line ends a shell, whose status does not "
                + "count.",
            "# The file",
            "FILE may contain {profile}, {session}, {id} and {start}, or {start:%Y%m%dT%H%M%S} with a time format; "
                + "times are in UTC. The resulting name is printed or, with COMMAND, reported on standard error. The "
                + "file has mode 0600, and symbolic links are not followed. With --follow or COMMAND, it is written "
                + "line by line, and is valid up to its last line at any time; otherwise it appears when it is "
                + "complete.",
            "An asciicast is UTF-8, so other bytes are replaced with U+FFFD; '--format raw' preserves them. A "
                + "recording that starts in the middle (--from, see 'vt help offsets') starts with the screen as it "
                + "was at that point.",
        ],
        operands: [
            session,
            OperandSpec("COMMAND", .optionalCommandWords, completion: .command),
        ],
        options: RecordOptions.options + ConnectionOptions.options,
        commonOptions: RecordOptions.common,
        examples: [
            ExampleSpec("vt record build -o build.cast", "record the output of a session so far"),
            ExampleSpec("vt record web:build -f -o '{profile}-{session}-{start}.cast'", "follow a session on a server"),
            ExampleSpec("vt record build --from -30 -o - | vt play -", "replay the last 30 seconds of a session"),
            ExampleSpec("vt record -o test.cast -- make test", "record a command and exit with its status"),
            ExampleSpec("vt record -o demo.cast", "record your shell until it exits"),
            ExampleSpec("vt record -o demo.cast --script demo.txt -- bash", "record a shell in which vt types"),
        ],
        exitCodes: VTError.Code.ofHolders + [.exists, .cannotCreate],
        statuses: [
            0: "the recording is complete",
            1: "with --script, a step failed",
        ],
        passesStatusThroughWithCommand: true
    )

    package static var documents: [DocumentSpec] {
        [.document(RecordDocument.self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        let options = try RecordOptions(call)
        guard call[session] == nil || call.commandWords.isEmpty else {
            throw VTError(
                .usage,
                "cannot record both a session and a command",
                hint: "to record a command, omit SESSION: vt record -o FILE -- COMMAND"
            )
        }
        try options.check(isCommand: call[session] == nil, call)
    }

    package static func signalHandling(of call: Call, on console: Console) throws(VTError) -> SignalHandling {
        guard call[session] == nil else { return .cancel }
        // Signals are forwarded to COMMAND.
        return isInteractive(try RecordOptions(call), on: console) ? .forwardAll : .forward
    }

    package static func endsWithReader(_ call: Call) -> Bool {
        guard case .standardOutput = call[RecordOptions.output] else { return false }
        return call[RecordOptions.follow]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let (options, words) = (try RecordOptions(call), call.commandWords)
        if let reference = call[session] {
            return try await SessionRun(reference: reference, options: options).run(in: context)
        }
        let isInteractive = isInteractive(options, on: context.console)
        guard isInteractive || !words.isEmpty || options.script != nil else {
            throw shellRefusal(isPiped: options.destination == .standardOutput)
        }
        let script: RecordScript? =
            if let path = options.script { try await Self.script(path, in: context) } else { nil }
        let run = CommandRun(words: words, options: options, script: script, isInteractive: isInteractive)
        return try await run.run(in: context)
    }

    private static func script(_ path: String, in context: Context) async throws(VTError) -> RecordScript {
        let name = path == "-" ? "standard input" : path
        if path == "-" {
            let input = context.console.input.source()
            return try RecordScript(try await input.contents(limit: RecordScript.limitBytes), name: name)
        }
        guard let bytes = try FileContents.read(path) else { throw VTError(.notFound, "'\(path)' does not exist") }
        return try RecordScript(bytes, name: name)
    }

    /// The error if there is neither SESSION nor COMMAND, and a shell cannot be used.
    private static func shellRefusal(isPiped: Bool) -> VTError {
        VTError(
            .usage,
            isPiped ? "cannot record a shell to standard output" : "cannot record a shell without a terminal",
            hint: "to record a command, use 'vt record -o \(isPiped ? "-" : "FILE") -- COMMAND'; "
                + "to record a session, use 'vt record SESSION -o FILE'"
        )
    }

    /// Whether COMMAND is run in the user's terminal, which a background job must not use (tcsetattr(3)).
    private static func isInteractive(_ options: RecordOptions, on console: Console) -> Bool {
        options.script == nil && options.destination != .standardOutput
            && console.input.isTerminal && console.output.isTerminal && tcgetpgrp(STDIN_FILENO) == getpgrp()
    }
}
