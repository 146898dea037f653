import Arguments
import Core
import Services
import Synchronization
import Terminal

/// Prints or collects the output of a session, or of a command in its shell.
final class OutputPrinter: LogPrinter {
    enum Form {
        /// The lines of text that a terminal would show.
        case plain
        /// The bytes, or as many of them as the rules of a filter leave.
        ///
        /// On a terminal, queries are removed, because the replies would become input to the user's shell.
        case raw
        /// Nothing is printed; only the end of the last full screen is found.
        case screen
    }

    private struct State {
        /// Nil unless the output is printed as text.
        var renderer: LineRenderer?
        /// Nil if there are no rules.
        var rules: OutputFilter?
        /// Nil unless the bytes are printed on a terminal.
        var queries: LiveFilter?
        var scanner: EscapeScanner?
        var hasOutput = false
        /// The number of bytes that may still be printed immediately.
        var headRest: Int
        /// The last bytes, once the first half of the limit has been printed.
        var tail: [UInt8] = []
        var omitted: UInt64 = 0
        /// The number of bytes received.
        var received = 0
        var lastByte: UInt8?
        /// The offset at which the program last left the alternate screen.
        var screenEnd: UInt64?
        var collected: [UInt8] = []

        /// Returns what to print of the bytes.
        mutating func process(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
            if renderer != nil { return renderer?.render(&rest) ?? [] }
            defer { rest = [] }
            let bytes = rules?.filter(Array(rest)) ?? Array(rest)
            return queries?.filter(bytes) ?? bytes
        }

        /// Returns an incomplete line, or the bytes that the rules have held back, because no more bytes follow them.
        mutating func finish() -> [UInt8] {
            if renderer != nil { return renderer?.finish() ?? [] }
            let rest = rules?.finish() ?? []
            return queries?.filter(rest) ?? rest
        }
    }

    /// Nil if the output is collected.
    private let sink: (any ByteSink)?
    private let diagnostics: any Diagnostics
    private let form: Form
    /// Half of the maximum number of bytes; nil means no limit.
    private let half: Int?
    private let state: Mutex<State>

    /// The default limit of the output that is collected, in memory.
    private static let collectedLimitBytes = 16 << 20

    /// `size` is the size of the terminal for lines of text; `limit` is the maximum number of bytes of output.
    ///
    /// With `--json`, the output is collected instead of printed, and its size is reported meanwhile.
    init(
        _ form: Form,
        size: TerminalSize = .standard,
        limit: Int? = nil,
        rules: [OutputFilter.Rule] = [],
        in context: Context
    ) {
        let isCollected = context.global.json
        let limit = limit ?? (isCollected ? Self.collectedLimitBytes : nil)
        let isTerminal = !isCollected && context.console.output.isTerminal
        sink = isCollected ? nil : context.queues.output()
        diagnostics = context.diagnostics
        self.form = form
        half = limit.map { $0 / 2 }
        state = Mutex(
            State(
                renderer: form == .plain ? LineRenderer(size: size) : nil,
                rules: rules.isEmpty ? nil : OutputFilter(rules),
                queries: form == .raw && isTerminal ? LiveFilter(.queries) : nil,
                headRest: limit.map { $0 - $0 / 2 } ?? .max
            )
        )
    }

    /// The output that has been collected.
    var collected: [UInt8] { state.withLock { $0.collected } }
    /// The number of bytes that were not printed.
    var omitted: UInt64 { state.withLock { $0.omitted } }
    /// The offset at which the program last left the alternate screen.
    var screenEnd: UInt64? { state.withLock { $0.screenEnd } }

    /// Whether the output so far ends in the middle of a line.
    var endsInLine: Bool { state.withLock { $0.lastByte.map { $0 != UInt8(ascii: "\n") } ?? false } }

    func resized(to size: TerminalSize) async throws(VTError) {
        // A new renderer would lose an incomplete line, so only the size before the output counts.
        state.withLock { state in
            guard state.renderer != nil, !state.hasOutput else { return }
            state.renderer = LineRenderer(size: size)
        }
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        if sink == nil { reportProgress(bytes) }
        guard form != .screen else {
            findScreenEnd(bytes, at: offset)
            return true
        }
        let head = state.withLock { state -> ArraySlice<UInt8> in
            state.hasOutput = true
            state.lastByte = bytes.last ?? state.lastByte
            let head = bytes.prefix(state.headRest)
            state.headRest -= head.count
            guard head.count < bytes.count, let half else { return head }
            state.tail += bytes[head.count...]
            // Not trimmed each time, because pieces can be short.
            if state.tail.count > 2 * half { Self.trim(&state, to: half) }
            return head
        }
        try await print(head)
        return true
    }

    /// Reports the number of bytes and the last line.
    private func reportProgress(_ bytes: [UInt8]) {
        let received = state.withLock { state in
            state.received += bytes.count
            return state.received
        }
        let lines = bytes.suffix(Self.progressBytes).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let last = lines.last.map { ": " + String(decoding: $0, as: UTF8.self) } ?? ""
        diagnostics.progress("\(received) bytes of output\(last)")
    }

    private static let progressBytes = 256

    private static func trim(_ state: inout State, to count: Int) {
        let surplus = max(0, state.tail.count - count)
        state.tail.removeFirst(surplus)
        state.omitted += UInt64(surplus)
    }

    private func findScreenEnd(_ bytes: [UInt8], at offset: UInt64) {
        state.withLock { state in
            var scanner = state.scanner ?? EscapeScanner(position: offset)
            var end = state.screenEnd
            scanner.scan(bytes) { sequence in
                guard sequence.kind == .controlSequence, sequence.final == UInt8(ascii: "l"),
                    sequence.marker == UInt8(ascii: "?"), !Set(sequence.parameters).isDisjoint(with: [47, 1047, 1049])
                else { return }
                end = sequence.start
            }
            (state.scanner, state.screenEnd) = (scanner, end)
        }
    }

    private func print(_ bytes: ArraySlice<UInt8>) async throws(VTError) {
        var rest = bytes
        while !rest.isEmpty {
            let text = state.withLock { $0.process(&rest) }
            if !text.isEmpty { try await write(text) }
        }
    }

    /// Prints or collects bytes.
    func write(_ bytes: [UInt8]) async throws(VTError) {
        guard let sink else { return state.withLock { $0.collected += bytes } }
        try await sink.write(bytes)
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        guard form != .screen else { return }
        try await interrupt()
        diagnostics.note("output from offset \(start) to \(end) is not in the log")
    }

    /// Prints an incomplete line before a gap.
    private func interrupt() async throws(VTError) {
        let rest = state.withLock { $0.finish() }
        if !rest.isEmpty { try await write(form == .plain ? rest + [UInt8(ascii: "\n")] : rest) }
    }

    func finish(_ session: Session) async throws(VTError) {
        try await finish()
    }

    /// Prints the rest of the output.
    func finish() async throws(VTError) {
        if let half {
            let (tail, omitted) = state.withLock { state in
                Self.trim(&state, to: half)
                return (state.tail, state.omitted)
            }
            if omitted > 0 {
                try await interrupt()
                diagnostics.note("\(omitted) bytes of output were omitted")
            }
            try await print(tail[...])
        }
        let rest = state.withLock { $0.finish() }
        if !rest.isEmpty { try await write(rest) }
    }
}
