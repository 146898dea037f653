import Arguments
import Core
import Glibc
import POSIX
import Services

/// Puts the user into a session: `vt attach`.
package struct AttachCommand: Command {
    package static let spec = CommandSpec(
        ["attach"],
        summary: "be in a session",
        description: [
            "Shows SESSION, on this machine or as PROFILE:SESSION on a server, and types into it what is typed here, until "
                + "its program ends or the detach key is pressed. Any number of clients may be in a session at once. What "
                + "it has on its screen is shown first, then its output from there on, without a gap. On every way out "
                + "the terminal here is set back to what it was.",
            "What the program asks its terminal is answered by the session itself, whether anybody is attached or not, so "
                + "that two clients give no two answers. The colors that it tells are those of the terminal that was "
                + "attached last; terminals are asked for theirs when they attach.",
            "The exit status is the program's, 128+n when signal n ended it, 0 after the detach key, and 255 when vt itself "
                + "failed. A session that has ended is shown once more, and its status given.",
            "The client that typed last decides the size of the session's terminal: a client sends its size when it "
                + "attaches, when its window changes, and before what it types after another one has changed the size.",
            "The detach key is ^] unless --detach-key names another one. It counts when nothing follows it at once, so that "
                + "text that is pasted reaches the program whole. What is typed before it is delivered first.",
            "Input that does not come from a terminal is typed as it is, without a detach key; at its end nothing further "
                + "is typed, and the session goes on: a program that waits for the end of its input needs a key, as "
                + "'vt sessions send SESSION --key C-d' sends it. Output that does not go to a terminal is the bytes of "
                + "the program from now on.",
            "When the link to a server is lost, it is made again: at once, then after 1, 2, 4 and up to 32 seconds, ten "
                + "times. The output goes on where it broke off, and what was typed is delivered once, or its loss is "
                + "told. A refused login or another host key ends the attempts at once.",
        ],
        operands: [OperandSpec("SESSION", completion: .session)],
        options: [
            OptionSpec("read-only", summary: "show the session only: type nothing, and leave its size alone"),
            OptionSpec("no-resize", summary: "leave the size of the session's terminal alone"),
            OptionSpec(
                "detach-key",
                value: ValueSpec("KEY", defaultText: DetachKey.standard.text),
                summary: "leave the session with this key",
                details: "It is written ^X or C-X, X being a letter or one of @ [ \\ ] ^ _; with 'none' there is no "
                    + "such key."
            ),
            OptionSpec("no-reconnect", summary: "end when the link is lost"),
        ],
        examples: [
            ExampleSpec("vt attach build", "be in a session of this machine"),
            ExampleSpec("vt attach web:build --read-only", "watch one of a server"),
            ExampleSpec("echo make | vt attach build", "type a line and follow the session to its end"),
        ],
        exitCodes: [
            .negative, .notFound, .hostUnresolved, .hostUnreachable, .io, .protocolViolation, .authDenied,
            .hostKeyChanged, .hostKeyUnknown, .config,
        ],
        passesStatusThrough: true
    )

    private let reference: SessionReference
    private var request = AttachRequest()

    package init(_ arguments: ParsedArguments) throws(VTError) {
        reference = try SessionReference(parsing: try arguments.operand("SESSION"))
        request.isReadOnly = arguments.flag("read-only")
        request.resizes = !arguments.flag("no-resize")
        if let key = arguments.value("detach-key") { request.detachKey = try DetachKey.parse(key) }
        if arguments.flag("no-reconnect") { request.reconnects = .none }
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        try SessionOperand.check(reference, in: context)
        let interrupts = try Interrupts(.all, suspends: true)
        let service = try context.services.attachService(reference.profile, context.diagnostics)
        if reference.profile == nil { try prepare(context.services.sessionHost().session(reference.session)) }
        let console = AttachConsole(interrupts, isQuiet: context.global.quiet, on: context.services.clock)
        let (result, signal) = await interrupts.run { [reference, request] () async throws(VTError) in
            try await service.attach(to: reference.session, request, terminal: console)
        }
        await service.close()
        let hasEnded = if case .success(.ended) = result { true } else { false }
        do throws(VTError) {
            try await console.restore(endingWith: hasEnded ? "" : "\r\n")
        } catch {
            if console.hasLostReader { SignalThread.die(of: SIGPIPE) }
            if signal == nil, case .success = result { throw error }
        }
        if let signal { SignalThread.die(of: signal) }
        switch try result.get() {
        case .ended(let status): return status.shellStatus
        case .detached:
            context.diagnostics.note("detached from \(reference.text)")
            return 0
        }
    }

    /// Looks that a session of this machine is not shown inside of itself, and lends it the SSH agent of who attaches.
    private func prepare(_ session: SessionRecord) throws(VTError) {
        guard session.state.isLive else { return }
        // Programs on the terminal of a session have that one's program as leader (setsid(2), credentials(7)).
        if let program = session.program, StandardStream.output.isTerminal, getsid(0) == program.processID {
            throw VTError(
                .usage,
                "this terminal is that of '\(session.name)'",
                hint: "vt sessions logs \(session.name) --follow"
            )
        }
        guard !request.isReadOnly, let socket = Environment.process["SSH_AUTH_SOCK"] else { return }
        let files = SessionFiles(of: session.id, in: try StateDirectories(.process).sessions)
        // Without an agent everything else still works.
        if socket != files.agent { try? SymbolicLink.replace(files.agent, with: socket) }
    }
}
