import Core
import Runtime
import Terminal

/// The terminal of a program that reads lines at a prompt, which passes on the text between a line and the next prompt.
///
/// Only the screen is kept: rows that leave it are passed on, as lines without the breaks that the terminal has added. A
/// program that turns on bracketed paste (mode 2004) while it reads shows by that where its output begins; elsewhere, the
/// echo of the line is looked for.
final class ReplTerminal: OutputReceiver {
    /// What the program waits for: a line, the rest of one, or something else, such as the next page.
    enum Wait: Hashable, Sendable { case prompt, continuation, answer }

    private struct State: Sendable {
        var emulator = Emulator(size: .standard, scrollbackBytes: 0)
        var end: UInt64 = 0
        var last = ContinuousClock.now
        /// The line whose output is passed on; nil between lines.
        var echo: EchoedLine?
        /// Whether the program has used bracketed paste for the line, and whether it still does.
        var hasPaste = false
        var isEdited = false
        /// The rows that have left the screen meanwhile, which show the line.
        var edited: [UInt8] = []
        /// The row of the first prompt.
        var prompt: [UInt8]?
        /// The last text in which errors have not been searched, and the size of the text.
        var tail: [UInt8] = []
        var passed: UInt64 = 0
        var hasFailed = false

        mutating func feed(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
            var piece = rest.prefix(ReplTerminal.pieceBytes)
            // The sequence that turns off the mode ends with this letter.
            if isEdited, let end = piece.firstIndex(of: UInt8(ascii: "l")) { piece = piece[...end] }
            rest = rest[piece.endIndex...]
            emulator.feed(piece.span)
            // The holder answers queries.
            _ = emulator.takeAnswers()
            _ = emulator.takeClipboard()
            (end, last) = (end + UInt64(piece.count), .now)
            if isEdited, !emulator.modes[.bracketedPaste] {
                isEdited = false
                begin([])
            }
            edited += emulator.takeLog()
            guard !isEdited || edited.count > ReplTerminal.editedLimit else { return [] }
            isEdited = false
            defer { edited = [] }
            return echo?.pass(edited) ?? []
        }

        /// Starts with the output of a line that is to be shown, or has been shown already.
        mutating func begin(_ line: [UInt8]) {
            let text = emulator.textBeforeCursor
            _ = emulator.takeLog()
            (echo, edited) = (EchoedLine(line, at: text), [])
            prompt = prompt ?? Array(text[text.lastRow...])
        }
    }

    private let repl: Repl
    private let receiver: any OutputReceiver
    private let state = Monitor(State())

    /// How much output is processed before the text is passed on; a few bytes can stand for many rows.
    private static let pieceBytes = 1024
    private static let editedLimit = 1 << 20
    /// How long a prompt must be shown without bracketed paste if that was used before; an update (mode 2026) that has
    /// been open for this time is not going to end.
    private static let doubtfulSettle = Duration.seconds(1)
    /// The rows in which a pager waits, or a question about a line.
    private static let question = try? LinePattern(
        #"^:$|\(END\)$|--? ?[Mm](ore|ORE) ?--|^--Type <RET>|\(y or n\) ?$|^lines [0-9]+-"#
    )

    /// The text is passed to `receiver`, with its own offsets.
    init(_ repl: Repl, _ receiver: any OutputReceiver) {
        (self.repl, self.receiver) = (repl, receiver)
    }

    /// Whether the output contained an error.
    var hasFailed: Bool { state.withLock(\.hasFailed) }
    var isBracketed: Bool { state.withLock { $0.emulator.modes[.bracketedPaste] } }
    /// How long there has been no output.
    var silence: Duration { .now - state.withLock(\.last) }

    // MARK: - Output

    func show(_ emulator: Emulator, at end: UInt64) {
        state.update { ($0.emulator, $0.end) = (emulator, end) }
        state.update { $0.emulator.keepLog() }
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        var rest = bytes.new(at: offset, after: state.withLock(\.end))
        while !rest.isEmpty { try await pass(state.update { $0.feed(&rest) }) }
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        throw VTError(.dataInvalid, "output from offset \(start) to \(end) is not in the log")
    }

    func resized(to size: TerminalSize) async throws(VTError) {
        state.update { if $0.emulator.size != size { $0.emulator.resizeKeepingLog(to: size) } }
    }

    private func pass(_ text: [UInt8]) async throws(VTError) {
        guard !text.isEmpty else { return }
        let offset = state.withLock { state in
            defer { state.passed += UInt64(text.count) }
            let lines = (state.tail + text).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .map { Array($0.prefix(Self.pieceBytes)) }
            state.hasFailed = state.hasFailed || lines.contains { repl.error?.firstMatch(in: $0) != nil }
            state.tail = lines.last ?? []
            return state.passed
        }
        _ = try await receiver.output(text, at: offset)
    }

    /// Begins with a line that is about to be sent; returns the offset.
    func begin(_ line: [UInt8]) -> UInt64 {
        state.update { state in
            state.begin(line)
            state.hasPaste = state.emulator.modes[.bracketedPaste]
            state.isEdited = state.hasPaste
            return state.end
        }
    }

    /// Ends a line, and passes on the rest of its output, up to the prompt, or to the cursor if none is shown.
    ///
    /// With `dropsRow`, the row of the cursor is not part of it; `isDiscarded` drops all of it.
    func endLine(dropsRow: Bool = false, isDiscarded: Bool = false) async throws(VTError) {
        let text = state.update { state in
            var text = state.emulator.textBeforeCursor
            let found = wait(in: state, after: text)
            text.removeSubrange((found?.start ?? (dropsRow ? text.lastRow : text.count))...)
            let rest = state.echo?.pass(state.edited + state.emulator.takeLog() + text, isLast: true) ?? []
            defer { (state.echo, state.edited) = (nil, []) }
            // A line that is still edited has no output.
            return isDiscarded || state.isEdited && found?.wait == .continuation ? [] : rest
        }
        try await pass(text)
    }

    // MARK: - Prompts

    /// What the program is seen to wait for, how long there must be no output before that counts, the row with the cursor,
    /// and the end of the output.
    var view: (wait: Wait?, settle: Duration, row: String, end: UInt64) {
        state.withLock { state in
            let text = state.emulator.textBeforeCursor
            let screen = state.emulator.screen()
            let row = screen.rows.indices.contains(screen.cursor.row) ? screen.rows[screen.cursor.row].text : ""
            var wait = wait(in: state, after: text)?.wait
            let isLeft = state.emulator.isAlternate || state.echo?.isLeft(at: text) ?? false
            if wait == nil, isLeft, Self.question?.firstMatch(in: Array(row.utf8)) != nil { wait = .answer }
            let modes = state.emulator.modes
            let isUnlike = state.hasPaste && (state.isEdited || !modes[.bracketedPaste])
            let isDoubtful = modes[.synchronized] || wait == .prompt && isUnlike
            return (wait, isDoubtful ? Self.doubtfulSettle : .zero, row, state.end)
        }
    }

    /// Whether the alternate screen is shown, on which a line has no prompt.
    var isFullScreen: Bool { state.withLock { $0.emulator.isAlternate } }

    /// What the program waits for, and where the prompt begins in the text of the screen up to the cursor.
    private func wait(in state: State, after text: [UInt8]) -> (wait: Wait, start: Int)? {
        guard !state.emulator.isAlternate, state.echo?.isLeft(at: text) ?? true else { return nil }
        let line = Array(text[text.lastRow...])
        // A row that is not empty can be a question, unless a line editor waits in it.
        let isOpen = !line.isEmpty && line != Array(">>> ".utf8) && !state.emulator.modes[.bracketedPaste]
        if repl.hasNoPrompt, state.echo == nil, isOpen { return nil }
        if let found = Self.match(repl.prompt, in: line) {
            // The output can end in the row of the prompt.
            if let prompt = state.prompt, line.suffix(prompt.count) == prompt[...] {
                return (.prompt, text.count - prompt.count)
            }
            return (.prompt, text.lastRow + (repl.name == nil ? 0 : found))
        }
        return repl.continuation.flatMap { Self.match($0, in: line) }.map { (.continuation, text.lastRow + $0) }
    }

    /// Where a match begins that ends at the cursor, or before the blanks there.
    private static func match(_ pattern: LinePattern, in line: [UInt8]) -> Int? {
        let end = line.lastIndex { $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? 0
        let found = pattern.firstMatch(in: line) ?? pattern.firstMatch(in: line[..<end])
        return found.flatMap { $0.upperBound >= end ? $0.lowerBound : nil }
    }

    /// Waits for output after `end`.
    func output(after end: UInt64) async throws(VTError) {
        try await state.wait { $0.end == end ? nil : () }
    }
}

extension [UInt8] {
    /// Where the last row starts.
    fileprivate var lastRow: Int { lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0 }
}
