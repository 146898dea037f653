import Arguments
import Core
import Services

/// Writes a session as a recording, or runs a command and records it: `vt record`.
package struct RecordCommand: Command {
    package static let spec = CommandSpec(
        ["record"],
        summary: "record a session, or a command, as an asciicast",
        description: [
            SessionOperand.explanation,
            "Writes a session that runs or has ended to FILE, from its first byte that is kept, with the exact times of "
                + "its output. With --follow it goes on until the session ends. Nothing of that is felt by the session. "
                + "A recording of a session on a server is the one that vt makes there, byte for byte.",
            "With COMMAND, starts it in a new session on a terminal of its own and records it to its end. What it "
                + "writes is copied to standard output, unless the recording goes there or --quiet is given. Nothing is "
                + "typed for it: 'vt attach' and 'vt sessions send' do, from elsewhere. INT and TERM are passed on to it, and "
                + "end it after three seconds; the recording is complete, and has the status that vt ends with. The session is removed after, unless --keep is given or the recording "
                + "failed: then nothing is lost, and it can be recorded again. Here, COMMAND has the "
                + "environment of vt, but for variables that are not UTF-8; on a server, that of 'vt sessions create'.",
            "FILE may hold {profile}, {session}, {id} and {start}, or {start:%Y%m%dT%H%M%S} for the time in UTC; its "
                + "name is printed, or with COMMAND noted on standard error. It gets mode 0600 and is never written "
                + "through a symbolic link. Without --follow and COMMAND it appears when it is complete; with them it "
                + "grows line by line, and is good up to its last line whatever happens.",
            "POSITION is a time such as 12.5, 1:20 or 1m20s, -5 for five seconds before the end, 50%, marker:NAME or "
                + "event:100. A recording that begins in the middle begins with what the terminal showed there.",
        ],
        operands: [
            OperandSpec("SESSION", .optional, completion: .session),
            OperandSpec("COMMAND", .optionalCommandWords, completion: .command),
        ],
        options: RecordOptions.specs,
        examples: [
            ExampleSpec("vt record build -o build.cast", "record a session as it is now"),
            ExampleSpec("vt record web:build -f -o '{profile}-{session}-{start}.cast'", "follow one on a server"),
            ExampleSpec("vt record build --from -30 -o - | vt play -", "see the last half minute again"),
            ExampleSpec("vt record -o test.cast -- make test", "record a command and end as it does"),
        ],
        exitCodes: SessionOperand.exitCodes + [.dataInvalid, .exists, .cannotCreate, .busy],
        passesStatusThroughWithCommand: true
    )

    private let options: RecordOptions
    private let reference: SessionReference?
    private let words: [ByteString]

    package init(_ arguments: ParsedArguments) throws(VTError) {
        options = try RecordOptions(arguments)
        reference = try arguments.optionalOperand("SESSION").map { text throws(VTError) in
            try SessionReference(parsing: text)
        }
        words = arguments.commandWords
        guard reference == nil || words.isEmpty else {
            throw VTError(
                .usage,
                "there is a session as well as a command",
                hint: "write the command alone, behind '--': vt record -o FILE -- COMMAND"
            )
        }
        guard reference != nil || !words.isEmpty else { throw arguments.missing("SESSION") }
        try options.check(isCommand: reference == nil, arguments)
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        if let reference { return try await SessionRun(reference, options).run(in: context) }
        return try await CommandRun(words, options).run(in: context)
    }
}
