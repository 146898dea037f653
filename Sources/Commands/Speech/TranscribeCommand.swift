import Arguments
import Core
import HTTP
import Runtime
import Services
import Speech
import System

/// Turns speech into text: `vt transcribe FILE`.
package enum TranscribeCommand: Command {
    private static let files = Operand("FILE", completion: .file).list(.oneOrMore, omittedWith: [listToCheck])
    private static let timeout = Option(
        "timeout",
        .duration(atLeast: .milliseconds(1)),
        default: "30s",
        summary: "time out if the engine takes longer than this for a file, or the command for the token"
    )
    private static let phrases = Option(
        "phrases",
        .file,
        summary: "print the text of the phrase in this file that was spoken",
        details: "Each line contains a phrase, a tab and its text; lines that start with '#' are comments."
    )
    private static let raw = Option.flag("raw", excludes: [phrases], summary: "keep line breaks")
    private static let listToCheck = Option(
        "check",
        .file,
        excludes: [phrases, raw, timeout] + EngineOptions.options,
        summary: "check a file with phrases instead"
    )

    package static let spec = CommandSpec(
        ["transcribe"],
        summary: "turn recorded speech into text",
        description: [
            "Sends recorded speech to an engine for speech recognition, and prints the text of each FILE on one line; "
                + "'-' is standard input. vt contains no engine and types nothing. To type the text without Enter, "
                + "use:",
            "    vt sessions send shell --text \"$(vt transcribe note.wav)\"",
            "# Engines",
            "An engine is a server, http://HOST/PATH or https://HOST/PATH, or a program, 'command:WORDS'. Words are "
                + "split as in a shell, but nothing is expanded, and no shell runs. {file} is the path of the audio, "
                + "{language} the code given with --language, and {grammar} the path of a JSGF grammar of the "
                + "phrases. The standard output of the program is the text. There is no other engine if one fails.",
            "# Audio and text",
            "FILE is a WAV file with 16-bit PCM, of at most 64 MiB and 30 minutes; a program requires mono with "
                + "16,000 Hz. A server also gets AAC, FLAC, MP3, MP4, Ogg and WebM files, unchanged. Control "
                + "characters and escape sequences are removed from the text, line breaks become spaces, and it has "
                + "at most 4096 characters.",
            "# Phrases",
            "With --phrases, the whole text must be one of the phrases, apart from case, punctuation and the number "
                + "of spaces, and numbers can be digits or English words. An engine with {grammar} chooses the "
                + "nearest phrase whatever is said, so a match proves nothing.",
            "# Several files",
            "A file that fails does not prevent the others from being transcribed; the exit status is then that of "
                + "the last one that failed.",
        ],
        operands: [files],
        options: EngineOptions.options + [timeout, phrases, raw, listToCheck],
        examples: [
            ExampleSpec(
                "vt transcribe note.wav --engine http://127.0.0.1:8080/transcribe",
                "print what was said, as a server understands it"
            ),
            ExampleSpec(
                "vt transcribe note.wav --engine 'command:whisper-cli -nt -np -m base.en.bin -f {file}'",
                "use a program"
            ),
            ExampleSpec(
                "text=$(vt transcribe note.wav --phrases commands.txt) && vt sessions send shell --text \"$text\" --enter",
                "run a command, but only one that is in the list"
            ),
            ExampleSpec(
                "arecord -q -d 4 -f S16_LE -r 16000 -c 1 | vt transcribe - --phrases commands.txt",
                "record for four seconds"
            ),
        ],
        exitCodes: [
            .negative, .dataInvalid, .notFound, .hostUnresolved, .hostUnreachable, .system, .cannotCreate,
            .protocolViolation, .authDenied, .tlsUntrusted, .config, .timedOut,
        ],
        statuses: [1: "silence, no letter or digit, or no phrase matches; nothing is printed"]
    )

    package static var documents: [DocumentSpec] {
        [
            DocumentSpec(.lines, TranscriptDocument.jsonType, when: "for each file"),
            DocumentSpec(.document, PhraseCheckDocument.jsonType, when: "with --check"),
        ]
    }

    package static func check(_ call: Call) throws(VTError) {
        _ = try EngineOptions(call)
        guard call[files].count(where: { $0 == "-" }) <= 1 else {
            throw VTError(.usage, "standard input can be read only once")
        }
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling { .cancel }

    private static func engine(_ plan: EnginePlan, in world: World) -> any SpeechEngine {
        switch plan {
        case .server(let plan): ServerEngine(plan, client: world.http())
        case .program(let template, let language, let grammar):
            ProgramEngine(template, language: language, grammar: grammar, on: world.localMachine())
        }
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        if let path = call[listToCheck] { return try showProblems(of: path, in: context) }
        let (files, timeout) = (call[Self.files], call[Self.timeout] ?? .seconds(30))
        let engine = try EngineOptions(call)
        let address = try engine.address(in: context)
        let list = try call[phrases].map { path throws(VTError) in try usableList(path) }
        let grammar = try Self.grammar(of: list, at: call[phrases], for: address)
        let late = VTError(.timedOut, "the token was not available within \(timeout.shortText) (--timeout)")
        let plan = try await withTimeout(timeout, on: context.world.clock, throwing: late) {
            () async throws(VTError) in try await engine.plan(for: address, grammar: grammar, in: context)
        }
        let recognizer = Self.engine(plan, in: context.world)
        if grammar != nil {
            context.diagnostics.note("the engine chooses the nearest phrase, whatever is said: a match proves nothing")
        }
        var outcomes: [Result<Void, VTError>] = []
        for file in files {
            do throws(VTError) {
                let (audio, text, elapsed) = try await Self.text(
                    of: file,
                    recognizer,
                    timeout: timeout,
                    keepsLines: call[raw],
                    in: context
                )
                let phrase = try list.map { list throws(VTError) in try Self.phrase(text, audio, in: list) }
                let document = TranscriptDocument(
                    file: file,
                    text: phrase?.text ?? text,
                    engine: address.text,
                    duration: audio.samples?.duration,
                    elapsed: elapsed,
                    phrase: phrase?.phrase,
                    isForced: grammar != nil
                )
                if context.global.json {
                    try context.output.jsonLine(document)
                } else {
                    try context.output.text(document.text)
                }
                outcomes.append(.success(()))
            } catch {
                if error.isCancellation { throw error }
                outcomes.append(.failure(error))
            }
        }
        try context.check(outcomes, named: files)
        return 0
    }

    // MARK: - Text

    /// Returns what was said in a file.
    private static func text(
        of file: String,
        _ engine: any SpeechEngine,
        timeout: Duration,
        keepsLines: Bool,
        in context: Context
    ) async throws(VTError) -> (SpeechAudio, String, Duration) {
        let audio = try SpeechAudio(try await contents(of: file, in: context), of: file)
        let problem = "the engine did not answer within \(timeout.shortText) (--timeout)"
        let late = VTError(.timedOut, "\(audio.name): \(problem)")
        let size = "\(audio.parts.reduce(0) { $0 + $1.count }) bytes of \(audio.mediaType)"
        let length = audio.samples.map { ", \($0.duration.shortText), \($0.channels) x \($0.rate) Hz" } ?? ""
        context.diagnostics.detail("\(audio.name): sending \(size)\(length)")
        let began = ContinuousClock.now
        let answer = try await withTimeout(timeout, on: context.world.clock, throwing: late) {
            () async throws(VTError) in try await engine.text(of: audio)
        }
        let elapsed = ContinuousClock.now - began
        context.diagnostics.detail("\(audio.name): the engine answered after \(elapsed.shortText)")
        let text = SpokenText(answer, keepsLines: keepsLines)
        guard text.isSpeech else { throw VTError(.negative, "\(audio.name): no speech was recognized") }
        if text.isCut { context.diagnostics.note("\(audio.name): the text is cut at \(SpokenText.limit) characters") }
        return (audio, text.text, elapsed)
    }

    /// Opens a file; other input is read, up to a few bytes more than the maximum.
    private static func contents(of file: String, in context: Context) async throws(VTError) -> StoredBytes {
        let source: any ByteSource
        if file == "-" {
            try context.console.input.checkIsReadable()
            source = context.console.input.source()
        } else {
            if InputFile.isRegularFile(file) {
                let contents = try StoredBytes(of: try OpenFile(opening: file, 0))
                if contents.count > 0 { return contents }
            }
            source = try InputFile(opening: file).stream()
        }
        var bytes: [UInt8] = []
        while bytes.count <= SpeechAudio.limitBytes, let more = try await source.read() { bytes += more }
        return StoredBytes(bytes)
    }

    // MARK: - Phrases

    private static func list(_ path: String) throws(VTError) -> PhraseList {
        PhraseList(try OpenFile(opening: path, 0).readToEnd(limit: PhraseList.limitBytes))
    }

    private static func usableList(_ path: String) throws(VTError) -> PhraseList {
        let list = try list(path)
        if let problem = list.problems.first {
            throw VTError(
                .dataInvalid,
                "'\(path)', line \(problem.line): \(problem.message)",
                hint: "to see all problems, use 'vt transcribe --check FILE'"
            )
        }
        return list
    }

    /// Returns the grammar if the engine uses one.
    private static func grammar(
        of list: PhraseList?,
        at path: String?,
        for address: EngineAddress
    ) throws(VTError) -> [UInt8]? {
        guard case .program(let program) = address, program.uses(.grammar) else { return nil }
        guard let list, let path else { throw VTError(.usage, "{grammar} requires --phrases FILE") }
        if let problem = list.grammarProblems.first {
            throw VTError(.dataInvalid, "'\(path)', line \(problem.line): \(problem.message)")
        }
        return list.grammar
    }

    private static func phrase(
        _ text: String,
        _ audio: SpeechAudio,
        in list: PhraseList
    ) throws(VTError) -> PhraseList.Phrase {
        guard let phrase = list.phrase(matching: text) else {
            throw VTError(.negative, "\(audio.name): no phrase matches '\(text)'")
        }
        return phrase
    }

    private static func showProblems(of path: String, in context: Context) throws(VTError) -> ProcessExit {
        let document = PhraseCheckDocument(file: path, list: try list(path))
        let problems = document.problems
        try context.show(document) {
            problems.map { "\(path):\($0.line): \($0.message)".sanitized }.joined(separator: "\n")
        }
        return problems.isEmpty ? 0 : .failure(.negative)
    }
}
