import Arguments
import Core
import Services
import Synchronization
import Terminal

/// Prints output as a stream of events, one JSON object per line.
final class EventPrinter: LogPrinter {
    private struct State {
        /// Nil if output is printed unchanged.
        var renderer: LineRenderer?
        /// An incomplete character.
        var unfinished: [UInt8] = []
        /// The offset of the incomplete character or line.
        var start: UInt64 = 0
        /// Whether there has been no output since the start or the last gap.
        var isBlank = true

        /// Returns all complete characters, and their offset.
        mutating func take(_ bytes: [UInt8], at offset: UInt64) -> (start: UInt64, whole: [UInt8]) {
            let begin = unfinished.isEmpty ? offset : start
            var whole = unfinished + bytes
            unfinished = whole.suffix(whole.unfinishedCharacterBytes)
            whole.removeLast(unfinished.count)
            // The incomplete character might have started in earlier bytes.
            start = offset + UInt64(bytes.count) - UInt64(unfinished.count)
            return (begin, whole)
        }

        /// Removes bytes that end at an offset; returns the lines that they completed, and the offset of the first one.
        mutating func render(_ bytes: inout ArraySlice<UInt8>, upTo end: UInt64) -> (start: UInt64, whole: [UInt8]) {
            if isBlank { start = end - UInt64(bytes.count) }
            isBlank = false
            let before = bytes
            let text = renderer?.render(&bytes) ?? []
            defer {
                if let line = before[..<bytes.startIndex].lastIndex(of: UInt8(ascii: "\n")) {
                    start = end - UInt64(before.endIndex - line - 1)
                }
            }
            return (start, text)
        }

        /// Returns the incomplete character or line, and its offset.
        mutating func finish() -> (start: UInt64, rest: [UInt8]) {
            defer { (unfinished, isBlank) = ([], true) }
            return (start, renderer?.finish() ?? unfinished)
        }
    }

    private let output: any ByteSink
    private let state: Mutex<State>
    private let isPlain: Bool

    /// If `size` is not nil, output is rendered as the lines of text that a terminal of that size would show.
    init(_ output: any ByteSink, plainFor size: TerminalSize?) {
        self.output = output
        isPlain = size != nil
        state = Mutex(State(renderer: size.map { LineRenderer(size: $0) }))
    }

    var heldBytes: Int { state.withLock { $0.unfinished.count } }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        guard isPlain else {
            let (start, whole) = state.withLock { $0.take(bytes, at: offset) }
            try await show(whole, at: start)
            return true
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let (start, whole) = state.withLock { $0.render(&rest, upTo: offset + UInt64(bytes.count)) }
            try await show(whole, at: start)
        }
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
                state: session.state,
                exit: session.exit
            )
        )
    }

    func flush() async throws(VTError) {
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
        try await output.write(event.jsonLine)
    }

    struct Event {
        enum Kind: String, CaseIterable, JSONValue {
            case output, gap, end
        }

        let event: Kind
        /// The offset at which the output starts; in an `end` event, the offset at which all output ends.
        var offset: UInt64?
        /// Output that is valid UTF-8.
        var text: String?
        /// Output that is not valid UTF-8, in Base64.
        var base64: String?
        /// The start of a gap.
        var from: UInt64?
        var to: UInt64?
        var state: SessionState?
        var exit: ExitStatus?
    }
}

extension EventPrinter.Event: JSONDocument {
    static let documentName = "log event"
    static let documentSummary = "an event in the output of a session"

    static let fields: JSONTable<Self> = [
        .field("event", \.event, "kind of event; `gap`: output that is not in the log; `end`: the last event"),
        .field("offset", \.offset, "offset of the output; for `end`, the end of all output", in: .bytes),
        .field("text", \.text, "output, if it is valid UTF-8"),
        .field("base64", \.base64, "output that is not valid UTF-8, in Base64"),
        .field("from", \.from, "start of the gap", in: .bytes),
        .field("to", \.to, "end of the gap", in: .bytes),
        .field("state", \.state, "state of the session, for `end`"),
        .field("exit", \.exit, "how the program ended, for `end`"),
    ]
}
