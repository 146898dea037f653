import Core
import Services
import Synchronization

/// Shows output as it comes.
final class LogPrinter: OutputReceiver {
    /// How output is shown.
    enum Form: Sendable {
        case bytes
        /// Without what only terminals understand.
        case plain
    }

    private struct State {
        var filter = PlainTextFilter()
        /// The beginning of a character whose rest has not come, and where it stands.
        var unfinished: (offset: UInt64, bytes: [UInt8]) = (0, [])
    }

    private let form: Form
    private let output: any ByteSink
    private let isJSON: Bool
    private let diagnostics: any Diagnostics
    private let state = Mutex(State())

    init(_ form: Form, output: any ByteSink, isJSON: Bool, diagnostics: any Diagnostics) {
        self.form = form
        self.output = output
        self.isJSON = isJSON
        self.diagnostics = diagnostics
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        let text = form == .plain ? state.withLock { $0.filter.filter(bytes) } : bytes
        guard isJSON else {
            try await output.write(text)
            return true
        }
        let (start, whole) = state.withLock { state in
            let (start, former) = state.unfinished
            var whole = former + text
            let first = former.isEmpty ? offset : start
            let count = whole.unfinishedCharacterBytes
            state.unfinished = (offset + UInt64(bytes.count - min(count, bytes.count)), whole.suffix(count))
            whole.removeLast(count)
            return (first, whole)
        }
        try await show(whole, at: start)
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        try await flush()
        guard isJSON else {
            diagnostics.note("the output from offset \(start) to \(end) is not kept")
            return
        }
        try await write(Event(event: .gap, from: start, to: end))
    }

    /// Shows what is unfinished, and with JSON how the session stands.
    func finish(_ session: SessionRecord) async throws(VTError) {
        try await flush()
        guard isJSON else { return }
        try await write(
            Event(event: .end, offset: session.outputBytes, state: session.state, exit: session.exit)
        )
    }

    private func flush() async throws(VTError) {
        let (offset, bytes) = state.withLock { state in
            defer { state.unfinished.bytes = [] }
            return state.unfinished
        }
        try await show(bytes, at: offset)
    }

    private func show(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) {
        guard !bytes.isEmpty else { return }
        try await write(Event(event: .output, offset: offset, bytes: bytes))
    }

    private func write(_ event: Event) async throws(VTError) {
        try await output.write(JSONText.line(event) + [UInt8(ascii: "\n")])
    }

    /// One line of `vt sessions logs --json`.
    private struct Event: Encodable {
        enum Kind: String, Encodable {
            case output, gap, end
        }

        let event: Kind
        var offset: UInt64?
        var text: String?
        var base64: String?
        var from: UInt64?
        var to: UInt64?
        var state: String?
        var exit: ExitDocument?

        init(event: Kind, from: UInt64, to: UInt64) {
            self.event = event
            self.from = from
            self.to = to
        }

        init(event: Kind, offset: UInt64, bytes: [UInt8]) {
            self.event = event
            self.offset = offset
            text = String(validating: bytes, as: UTF8.self)
            if text == nil { base64 = Base64.encode(bytes) }
        }

        init(event: Kind, offset: UInt64, state: SessionState, exit: ExitStatus?) {
            self.event = event
            self.offset = offset
            self.state = state.rawValue
            self.exit = exit.map(ExitDocument.init)
        }
    }
}
