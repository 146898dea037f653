import Arguments
import Core
import Glibc
import POSIX
import Recording
import Services

/// Plays a recording: `vt play`.
package struct PlayCommand: Command {
    package static let spec = CommandSpec(
        ["play"],
        summary: "play a recording",
        description: [
            "Writes what was recorded in FILE, or with '-' in what comes on standard input, to standard output, at the "
                + "times at which it was written. No terminal is needed: elsewhere the bytes are those of the recording. "
                + "A terminal gets no questions that it would answer, no bells and no clipboard, and is set back at the "
                + "end. asciicast v1, v2 and v3 are read, also compressed with gzip.",
            "On a terminal, the space bar pauses and goes on, '.' shows what was written next and pauses, the left and "
                + "right arrows go back and ahead by 5 seconds, ']' goes to the next marker, and 'q' ends it. With '-' "
                + "and a pipe there are no keys.",
            "POSITION is a time such as 12.5, 1:20 or 1m20s, -5 for five seconds before the end, 50%, marker:NAME or "
                + "event:100. What begins in the middle begins with what the terminal showed there.",
        ],
        operands: [OperandSpec("FILE", completion: .file)],
        options: [
            OptionSpec(
                "speed",
                short: "s",
                value: ValueSpec("FACTOR", defaultText: "1"),
                excludes: ["instant"],
                summary: "play so many times as fast, such as 2 or 0.5"
            ),
            OptionSpec("instant", summary: "make no pauses"),
            OptionSpec(
                "idle-limit",
                value: ValueSpec("DURATION"),
                summary: "shorten longer pauses to this",
                details: "The default is what the recording says."
            ),
            OptionSpec("from", value: ValueSpec("POSITION"), summary: "begin there"),
            OptionSpec("to", value: ValueSpec("POSITION"), summary: "end before it"),
            OptionSpec("markers", summary: "pause at each marker until a key is pressed"),
            OptionSpec("loop", summary: "begin again at the end"),
        ],
        examples: [
            ExampleSpec("vt play build.cast", "see it as it was"),
            ExampleSpec("vt play build.cast --speed 4 --idle-limit 1s", "see it in less time"),
            ExampleSpec("vt play build.cast --instant --from -30 | less -R", "read the end of it"),
            ExampleSpec("vt record build -o - | vt play -", "see what a session has done"),
        ],
        exitCodes: [.dataInvalid, .notFound]
    )

    private let file: String
    private var request = PlayRequest()

    package init(_ arguments: ParsedArguments) throws(VTError) {
        file = try arguments.operand("FILE")
        let speed = try arguments.value("speed", parse: Self.speed) ?? 1
        request.speed = arguments.flag("instant") ? nil : speed
        request.idleLimit = try arguments.value("idle-limit") { text throws(VTError) in try Duration(parsing: text) }
        let position = { (text: String) throws(VTError) in try RecordingPosition(parsing: text) }
        request.start = try arguments.value("from", parse: position)
        request.end = try arguments.value("to", parse: position)
        request.pausesAtMarkers = arguments.flag("markers")
        request.loops = arguments.flag("loop")
        if request.loops, file == "-" { throw VTError(.usage, "--loop needs a file that can be read again") }
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let source = try source()
        let hasKeyboard =
            source.isRepeatable && StandardStream.input.isTerminal && StandardStream.output.isTerminal
        guard hasKeyboard || !request.pausesAtMarkers else {
            throw VTError(.usage, "--markers needs a terminal, whose keys end the pauses")
        }
        let interrupts = try Interrupts(.all, suspends: hasKeyboard)
        let service = context.services.playService(context.diagnostics)
        let console = AttachConsole(
            interrupts,
            isQuiet: context.global.quiet,
            hasInput: hasKeyboard,
            on: context.services.clock
        )
        let (result, signal) = await interrupts.run { [request] () async throws(VTError) in
            try await service.play(source, request, on: console)
        }
        do throws(VTError) {
            try await console.restore(endingWith: "")
        } catch {
            if console.hasLostReader { SignalThread.die(of: SIGPIPE) }
            if signal == nil, case .success = result { throw error }
        }
        if console.hasLostReader { SignalThread.die(of: SIGPIPE) }
        if let signal { SignalThread.die(of: signal) }
        if try result.get() == .interrupted { SignalThread.die(of: SIGINT) }
        return 0
    }

    private func source() throws(VTError) -> PlaySource {
        guard file != "-" else {
            return PlaySource(ThreadedInput(StandardStream.input.rawValue), name: StandardStream.input.name)
        }
        let opened = try OpenFile(opening: file, O_RDONLY)
        switch try opened.status().st_mode & S_IFMT {
        case S_IFIFO, S_IFCHR, S_IFSOCK:
            // It may have nothing for long, and reading it must not keep a signal from ending this.
            let input = ThreadedInput(try opened.duplicate().release(), closesDescriptor: true)
            return PlaySource(input, name: "'\(file)'")
        default: return PlaySource(opened)
        }
    }

    private static func speed(_ text: String) throws(VTError) -> Double {
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        guard isNumber, let speed = Double(text), speed >= 0.001, speed <= 1000 else {
            throw VTError(.usage, "'\(text)' is not a speed", hint: "write a number from 0.001 to 1000")
        }
        return speed
    }
}
