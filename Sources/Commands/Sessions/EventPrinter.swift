import Core
import Services
import Synchronization

/// Shows output as a stream of events, one JSON object on each line.
final class EventPrinter: LogPrinter {
    private struct State {
        var filter: PlainTextFilter?
        /// The beginning of a character whose rest has not come, and where the piece with it began.
        var unfinished: [UInt8] = []
        var start: UInt64 = 0
    }

    private let output: any ByteSink
    private let state: Mutex<State>

    init(_ output: any ByteSink, isPlain: Bool) {
        self.output = output
        state = Mutex(State(filter: isPlain ? PlainTextFilter() : nil))
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        let (start, whole) = state.withLock { state in
            let text = state.filter?.filter(bytes) ?? bytes
            let start = state.unfinished.isEmpty ? offset : state.start
            var whole = state.unfinished + text
            state.unfinished = whole.suffix(whole.unfinishedCharacterBytes)
            whole.removeLast(state.unfinished.count)
            // With escape sequences taken out this is where the piece ends that the character began in.
            state.start = offset + UInt64(bytes.count) - UInt64(min(state.unfinished.count, bytes.count))
            return (start, whole)
        }
        try await show(whole, at: start)
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        try await flush()
        try await write(Event(event: .gap, from: start, to: end))
    }

    func finish(_ session: SessionRecord) async throws(VTError) {
        try await flush()
        try await write(
            Event(
                event: .end,
                offset: session.outputBytes,
                state: session.state.rawValue,
                exit: session.exit.map(ExitDocument.init)
            )
        )
    }

    private func flush() async throws(VTError) {
        let (start, bytes) = state.withLock { state in
            defer { state.unfinished = [] }
            return (state.start, state.unfinished)
        }
        try await show(bytes, at: start)
    }

    private func show(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) {
        guard !bytes.isEmpty else { return }
        let text = String(validating: bytes, as: UTF8.self)
        try await write(
            Event(event: .output, offset: offset, text: text, base64: text == nil ? Base64.encode(bytes) : nil)
        )
    }

    private func write(_ event: Event) async throws(VTError) {
        try await output.write(JSONText.line(event) + [UInt8(ascii: "\n")])
    }

    private struct Event: Encodable {
        enum Kind: String, Encodable {
            case output, gap, end
        }

        let event: Kind
        /// Where the output begins, or with `end` where all of it ends.
        var offset: UInt64?
        /// Output that is UTF-8.
        var text: String?
        /// Output that is not.
        var base64: String?
        /// What a gap lacks.
        var from: UInt64?
        var to: UInt64?
        var state: String?
        var exit: ExitDocument?
    }
}
