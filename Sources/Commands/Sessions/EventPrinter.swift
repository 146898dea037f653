import Core
import Services
import Synchronization
import Terminal

/// Shows output as a stream of events, one JSON object on each line.
final class EventPrinter: LogPrinter {
    private struct State {
        /// Nil: output is shown as it is.
        var renderer: LineRenderer?
        /// The beginning of a character whose rest has not come, and where the piece with it began.
        var unfinished: [UInt8] = []
        var start: UInt64 = 0
        /// Whether nothing came since the start or a gap.
        var isBlank = true

        /// Returns all characters that are whole, and where they begin.
        mutating func take(_ bytes: [UInt8], at offset: UInt64) -> (start: UInt64, whole: [UInt8]) {
            let begin = unfinished.isEmpty ? offset : start
            var whole = unfinished + bytes
            unfinished = whole.suffix(whole.unfinishedCharacterBytes)
            whole.removeLast(unfinished.count)
            start = offset + UInt64(bytes.count - unfinished.count)
            return (begin, whole)
        }

        /// Returns the lines that ended, and where the first of them begins.
        mutating func render(_ bytes: [UInt8], at offset: UInt64) -> (start: UInt64, whole: [UInt8]) {
            if isBlank { start = offset }
            isBlank = false
            let text = renderer?.render(bytes) ?? []
            defer { if let end = bytes.lastIndex(of: UInt8(ascii: "\n")) { start = offset + UInt64(end + 1) } }
            return (start, text)
        }

        /// Returns what is left.
        mutating func finish() -> (start: UInt64, rest: [UInt8]) {
            defer { (unfinished, isBlank) = ([], true) }
            return (start, renderer?.finish() ?? unfinished)
        }
    }

    private let output: any ByteSink
    private let state: Mutex<State>

    /// With a size the output is shown as the lines of text that a terminal of that size would show.
    init(_ output: any ByteSink, plainFor size: TerminalSize?) {
        self.output = output
        state = Mutex(State(renderer: size.map { LineRenderer(size: $0) }))
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        let (start, whole) = state.withLock { state in
            state.renderer == nil ? state.take(bytes, at: offset) : state.render(bytes, at: offset)
        }
        try await show(whole, at: start)
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        try await flush()
        try await write(Event(event: .gap, from: start, to: end))
    }

    func finish(_ session: Session) async throws(VTError) {
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
        let (start, bytes) = state.withLock { $0.finish() }
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
