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
        /// Text that is printed as it is.
        case text
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
        /// Nil without a limit.
        var limited: LimitedOutput?
        var gap: LimitedOutput.Gap?
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
    /// The session, as the user has named it.
    private let session: SessionReference?
    private let state: Mutex<State>

    /// The default limit of the output that is collected, in memory.
    private static let collectedLimitBytes = 16 << 20

    /// `size` is the size of the terminal for lines of text; `limit` is the maximum number of bytes of the session's
    /// output.
    ///
    /// With `--json`, the output is collected instead of printed, and its size is reported meanwhile.
    init(
        _ form: Form,
        size: TerminalSize = .standard,
        limit: Int? = nil,
        of session: SessionReference? = nil,
        rules: [OutputFilter.Rule] = [],
        in context: Context
    ) {
        let isCollected = context.global.json
        let limit = limit ?? (isCollected ? Self.collectedLimitBytes : nil)
        let isTerminal = !isCollected && context.console.output.isTerminal
        sink = isCollected ? nil : context.queues.output()
        diagnostics = context.diagnostics
        self.form = form
        self.session = session
        state = Mutex(
            State(
                renderer: form == .plain ? LineRenderer(size: size) : nil,
                rules: rules.isEmpty ? nil : OutputFilter(rules),
                queries: form == .raw && isTerminal ? LiveFilter(.queries) : nil,
                limited: limit.map { LimitedOutput(limit: $0) }
            )
        )
    }

    /// The output that has been collected.
    var collected: [UInt8] { state.withLock { $0.collected } }
    /// The output that was not printed.
    var gap: LimitedOutput.Gap? { state.withLock { $0.gap } }
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
        let ready = state.withLock { state in
            state.hasOutput = true
            state.lastByte = bytes.last ?? state.lastByte
            return state.limited?.add(bytes, at: offset) ?? bytes
        }
        try await print(ready[...])
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
        state.withLock { $0.limited?.skip(from: start, to: end) }
        try await interrupt()
        diagnostics.note("output from offset \(start) to \(end) is not in the log")
    }

    /// Prints an incomplete line before a gap.
    private func interrupt() async throws(VTError) {
        let rest = state.withLock { $0.finish() }
        if !rest.isEmpty { try await write(form == .plain ? rest + [UInt8(ascii: "\n")] : rest) }
    }

    /// Reports output that is left out: in a line of its own, or on standard error if the bytes are printed.
    private func report(_ gap: LimitedOutput.Gap) async throws(VTError) {
        try await interrupt()
        let place = gap.cutsLine ? ", within a line" : ""
        let range = "--from \(gap.from) --to \(gap.to)"
        let command = session.map { "; to print them, use 'vt sessions logs \($0.text) \(range)'" } ?? ""
        let text = "\(gap.to - gap.from) bytes of output were omitted here\(place)\(command)"
        if form != .raw { try await write(Array("[\(text)]\n".utf8)) } else { diagnostics.note(text) }
    }

    func finish(_ session: Session) async throws(VTError) {
        try await flush()
    }

    func flush() async throws(VTError) {
        let last = state.withLock { state in
            let last = state.limited?.finish()
            state.gap = last?.gap
            return last
        }
        if let gap = last?.gap { try await report(gap) }
        try await print(last?.rest[...] ?? [])
        let rest = state.withLock { $0.finish() }
        if !rest.isEmpty { try await write(rest) }
    }
}
