import Core
import Services
import Terminal

/// Performs the steps of a script in a session.
struct ScriptRun {
    private let script: RecordScript
    private let session: String
    private let client: SessionClient
    private let clock: any Clock<Duration>
    private let timeout: Duration?
    private var rhythm: TypingRhythm
    /// The offset from which a wait examines the output; nil before the first input.
    private var position: UInt64?
    /// Whether the last input has ended a line, so that a prompt that was already shown does not count.
    private var hasSubmitted = false
    private var hasEnded = false

    /// `timeout` limits each step; `delay` is the mean pause after a key.
    init(
        _ script: RecordScript,
        in session: String,
        on client: SessionClient,
        clock: any Clock<Duration>,
        delay: Duration,
        timeout: Duration?
    ) {
        self.script = script
        self.session = session
        self.client = client
        self.clock = clock
        self.timeout = timeout
        rhythm = TypingRhythm(mean: delay)
    }

    /// Performs all steps.
    ///
    /// - Throws: The error of the first step that fails, with its line: `negative` for a command that fails, or if the
    ///   program ends before the step; `timed-out`.
    mutating func run() async throws(VTError) {
        for step in script.steps {
            do throws(VTError) {
                guard hasEnded else {
                    try await perform(step.action)
                    continue
                }
                if case .wait(.exit) = step.action { continue }
                throw VTError(.ended, "the program has ended")
            } catch {
                var failure = error
                failure.message = "\(step.place): \(error.message)"
                throw failure
            }
        }
    }

    private mutating func perform(_ action: RecordScript.Action) async throws(VTError) {
        switch action {
        case .send(let text): try await type(text)
        case .keys(let keys): for key in keys { try await press(key) }
        case .execute(let line): try await execute(line)
        case .wait(let condition): try await wait(condition)
        case .pause(let duration): try await pause(duration)
        case .mark(let label): _ = try await client.call(MarkRequest(label), on: session)
        }
    }

    // MARK: - Input

    /// Types text, character by character; waits examine the output since its first character.
    private mutating func type(_ text: String) async throws(VTError) {
        var start: UInt64?
        for character in text {
            try await send(Array(String(character).utf8))
            start = start ?? position
        }
        position = start
    }

    private mutating func press(_ key: Key) async throws(VTError) {
        let emulator = try await client.call(ScreenRequest(), on: session).emulator()
        try await send(try KeyEncoder(emulator).bytes(of: key))
    }

    private mutating func send(_ bytes: [UInt8]) async throws(VTError) {
        position = try await client.call(SendRequest(bytes, timeout: timeout), on: session).offset
        // Enter, or Control-C and Control-D, which abandon or end a line.
        hasSubmitted = hasSubmitted || !Set(bytes).isDisjoint(with: [0x03, 0x04, 0x0A, 0x0D])
        try await clock.pause(for: rhythm.pause())
    }

    // MARK: - Waiting

    /// Types a line at the prompt, and waits for the next prompt or the end of the program.
    private mutating func execute(_ line: String) async throws(VTError) {
        try await wait(.prompt)
        try await type(line)
        try await send([UInt8(ascii: "\r")])
        let request = WaitRequest([.prompt, .exit], from: position, timeout: timeout)
        let outcome = try await client.wait(request, of: session)
        hasSubmitted = false
        hasEnded = outcome.condition == .exit
        if !hasEnded, let status = outcome.commandExit, status != 0 {
            throw VTError(.negative, "'\(line)' exited with status \(status)")
        }
    }

    private mutating func wait(_ condition: WaitCondition) async throws(VTError) {
        let start: UInt64? =
            switch condition.kind {
            case .match, .failMatch: position
            case .prompt: hasSubmitted ? position : nil
            case .idle, .exit, .screen, .noScreen, .title, .together: nil
            }
        let outcome = try await client.wait(
            WaitRequest([condition], from: start, timeout: timeout),
            of: session
        )
        switch outcome.condition {
        case .match, .failMatch: position = outcome.offset
        case .prompt: hasSubmitted = false
        case .idle, .screen, .noScreen, .title, .together: break
        case .exit: hasEnded = true
        }
    }

    /// Waits for this long.
    ///
    /// - Throws: `negative` when the program ends before.
    private func pause(_ duration: Duration) async throws(VTError) {
        do throws(VTError) {
            _ = try await client.wait(for: .exit, of: session, from: nil, timeout: duration)
        } catch {
            guard error.code == .timedOut else { throw error }
            return
        }
        throw VTError(.ended, "the program has ended")
    }
}
