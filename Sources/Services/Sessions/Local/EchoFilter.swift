import Core
import Terminal

/// Separates the output of a program from the echo of input that was sent to it.
///
/// At the prompt of a shell that reports its commands, everything up to the start of a command is echo. Otherwise, the
/// echo of a line is the next line on the screen that ends with it, whatever is shown before it, such as a prompt. Output
/// that may still become the echo of a line is held back until the cursor is placed in another row, because line editors
/// move the cursor relative to where it is, or until the caller releases it.
struct EchoFilter: Sendable {
    /// A part of the output that is not echo.
    typealias Piece = (offset: UInt64, bytes: [UInt8])

    /// The lines whose echo has not been shown, without blanks.
    private var lines: ArraySlice<[UInt8]>
    /// Whether the last line does not end with a newline.
    private let isOpen: Bool
    /// What the terminal shows while there are such lines.
    private var screen: ScreenWatch
    private var escapes = EscapeMachine()
    /// What the line with the cursor contained when the input was sent.
    private let first: [UInt8]
    private let start: UInt64
    private var held: [UInt8] = []
    /// The beginning of an echo that an editor has continued on the next row with a newline.
    private var above: [UInt8] = []
    /// The end of the output that has been processed.
    private var position: UInt64
    /// The end of the output in which the echo is looked for.
    private let limit: UInt64
    private let reportsCommands: Bool
    /// Whether the shell is reading a line.
    private var isEditing = false
    /// Whether a command has started since the input.
    private var hasCommand = false
    /// The offset after the echo that precedes all other output.
    private(set) var outputStart: UInt64
    /// The end of the command that has ended last, if the shell reports commands.
    private(set) var commandEnd: UInt64?

    /// The minimum length of the output in which the echo is looked for.
    private static let limitBytes: UInt64 = 64 << 10
    /// The number of bytes at the end of a line that are compared; more might not fit on the screen.
    private static let comparedBytes = 256
    private static let newline = UInt8(ascii: "\n")

    /// `past` is the last output before the input, from which the position of the cursor is determined.
    init(_ sent: [UInt8], after past: [UInt8], at start: UInt64, size: TerminalSize, reportsCommands: Bool) {
        let (lines, isOpen) = SentInput.lines(of: sent)
        (self.lines, self.isOpen) = (lines[...], isOpen)
        screen = ScreenWatch(size: size)
        screen.feed(past[...])
        screen.takeLines { _ in true }
        first = SentInput.visible(screen.currentLine)
        self.start = start
        (position, outputStart) = (start, start)
        limit = start + Self.limitBytes + 4 * UInt64(sent.count)
        self.reportsCommands = reportsCommands
    }

    // MARK: - Output

    /// Returns the output that is not echo; `isLast` means that no more is available for now.
    mutating func pass(_ bytes: [UInt8], at offset: UInt64, isLast: Bool) -> [Piece] {
        if offset != position { (lines, held, position) = ([], [], offset) }
        guard !isEditing else {
            position += UInt64(bytes.count)
            return []
        }
        var (pieces, rest) = ([Piece](), bytes[...])
        while !lines.isEmpty, !rest.isEmpty {
            if isOpen, lines.count == 1 {
                let (row, isPlaced) = (screen.currentRow, placesCursor(rest[rest.startIndex]))
                take(rest.prefix(1), from: &rest)
                if isEchoOfOpenLine { dropEcho() } else if isPlaced, screen.currentRow != row { pieces += release() }
            } else {
                take(rest.prefix { !placesCursor($0) && $0 != Self.newline }, from: &rest)
                guard let end = rest.first else { break }
                let (row, isEcho) = (screen.currentRow, isEchoOfLine)
                // busybox ash writes a newline where the line is wrapped.
                let isWrapped =
                    end == Self.newline && screen.currentLine.count >= screen.size.columns && mayBecomeEcho
                let line = isWrapped ? shown : []
                take(rest.prefix(1), from: &rest)
                guard end == Self.newline || screen.currentRow != row else { continue }
                if isEcho { dropEcho() } else if isWrapped { above = line } else { pieces += release() }
            }
        }
        if !lines.isEmpty, position > limit { lines = [] }
        if lines.isEmpty || isLast && !mayBecomeEcho { pieces += release() }
        if !rest.isEmpty {
            pieces.append((position, Array(rest)))
            position += UInt64(rest.count)
        }
        return pieces
    }

    /// Whether the byte completes a sequence that sets the row of the cursor: CUP, HVP or VPA.
    private mutating func placesCursor(_ byte: UInt8) -> Bool {
        guard byte < 0x80 else { return false }
        var action = escapes.consume(byte, isPassThrough: false)
        if case .beginBefore = action { action = escapes.consume(byte, isPassThrough: false) }
        guard case .endControl = action else { return false }
        return [UInt8(ascii: "H"), UInt8(ascii: "f"), UInt8(ascii: "d")].contains(byte)
    }

    private mutating func take(_ piece: ArraySlice<UInt8>, from rest: inout ArraySlice<UInt8>) {
        rest = rest.dropFirst(piece.count)
        screen.feed(piece)
        screen.takeLines { _ in true }
        held += piece
        position += UInt64(piece.count)
    }

    /// Returns the output that is held back, because it has not become an echo.
    mutating func release() -> [Piece] {
        defer { (held, above) = ([], []) }
        return held.isEmpty ? [] : [(position - UInt64(held.count), held)]
    }

    private mutating func dropEcho() {
        if outputStart == position - UInt64(held.count) { outputStart = position }
        (held, above) = ([], [])
        lines.removeFirst()
    }

    private var isEchoOfLine: Bool {
        guard let line = lines.first else { return false }
        return line.isEmpty
            ? shown.isEmpty || outputStart == start && shown == first
            : shown.ends(with: line.suffix(Self.comparedBytes))
    }

    /// The text of the line with the cursor.
    private var shown: [UInt8] { above + SentInput.visible(screen.currentLine) }

    /// A line without a newline can be as short as a single character, so nothing may precede it.
    private var isEchoOfOpenLine: Bool {
        guard let line = lines.first else { return false }
        return shown == line || shown == first + line
    }

    /// Whether the line with the cursor ends with the beginning of an echo.
    private var mayBecomeEcho: Bool {
        guard let line = lines.first, !held.isEmpty else { return false }
        let shown = shown
        return line.indices.contains { shown.ends(with: line[...$0]) }
    }

    // MARK: - Marks

    /// Processes the last mark of the shell's hook before the input.
    mutating func begin(after mark: ShellMark) {
        let isAtPrompt = [.input, .continuation].contains(mark.kind)
        isEditing = reportsCommands && isAtPrompt
        // A command that has printed nothing since the input ends where that was sent.
        let isEnd = if case .end = mark.kind { true } else { mark.kind == .prompt }
        commandEnd = isEnd && mark.offset == start ? start : nil
    }

    /// Processes a mark of the shell's hook; returns output that is not echo.
    mutating func apply(_ mark: ShellMark) -> [Piece] {
        switch mark.kind {
        case .input, .continuation:
            guard reportsCommands else { return [] }
            isEditing = true
            return release()
        case .command:
            // Input that was sent before the prompt has been shown twice, by the terminal and by the line editor.
            if !lines.isEmpty || reportsCommands && !hasCommand { outputStart = mark.offset }
            (isEditing, lines, held, hasCommand) = (false, [], [], true)
        case .end: commandEnd = mark.offset
        case .prompt: commandEnd = commandEnd ?? mark.offset
        case .replaced, .unknown: isEditing = false
        }
        return []
    }
}

extension [UInt8] {
    fileprivate func ends(with other: some BidirectionalCollection<UInt8>) -> Bool {
        reversed().starts(with: other.reversed())
    }
}
