import Core

/// Tracks a session's shell by the marks of its hook, and the lines that clients want it to run.
///
/// A line is offered to the shell when it is at its prompt: the holder writes it to a file and sends a key, and the hook
/// takes it. The shell is then known to run it by its mark. A line that a person enters first is run first, and the offer
/// is repeated at the next prompt.
struct ShellTracker {
    /// A shell that is at its prompt, as its mark says.
    struct Shell: Hashable {
        let kind: ShellKind
        /// Differs for each shell, also after `exec` in the same process.
        let identifier: String
        let processID: Int32

        /// `fields` are those of mark B.
        init?(_ fields: [Substring]) {
            guard fields.count > 5, let kind = ShellKind(rawValue: String(fields[3])), let processID = Int32(fields[5])
            else { return nil }
            (self.kind, identifier, self.processID) = (kind, String(fields[4]), processID)
        }
    }

    /// What the loop has to do about a mark.
    enum Step {
        /// Inform a client.
        case report(ShellMark, to: HolderClient)
        /// Answer a client whose line has been withdrawn.
        case refuse(HolderClient)
        /// Record a mark that the hook has not printed.
        case record(ShellMark)
        /// Record the state of a request with an ID.
        case close([UInt8], RequestState)
    }

    var integration: ShellIntegration
    /// The shells that have shown a prompt and may be running; each is started in the one before it.
    private(set) var shells: [Shell] = []
    var status: ShellStatus
    /// Whether the hook's key works at the current prompt.
    private(set) var hasEditor = true
    /// Whether the terminal's foreground process group is that of the shell; set before each use of the tracker.
    var isInForeground = true
    var lines = LineQueue()
    /// The line that the shell has been offered, or is running.
    var current: LineQueue.Request? { lines.current }
    /// Whether the shell has taken the current line.
    private(set) var isTaken = false
    /// Whether the current line has been offered at an earlier prompt, whose end may have discarded the key.
    private(set) var mayHaveLostKey = false
    /// Whether the hook has put aside what a person had typed, and restores it when it receives the key.
    private(set) var keepsText = false
    /// Whether the current prompt has asked for the key, and how many have since the last command: bash repeats the mark at
    /// the end of a prompt when it draws it again, as it does for the key, and if PROMPT_COMMAND is read-only, also the mark
    /// at its start.
    private var restoration = (isRequested: false, count: 0)
    private static let maximumRestorations = 3
    /// Whether the last command has ended.
    private(set) var hasCommandEnded = false
    /// The offset at which the last prompt begins.
    private(set) var promptStart: UInt64?
    /// The turns that have not ended, outermost first, each with the shell that runs it.
    private var turns: [(shell: Shell?, number: UInt64)] = []
    /// Whether a prompt has begun since the current line was offered or taken; a prompt that is only redrawn has not.
    private var hasPromptBegun = false
    /// The end of the output of the last command, once it has ended or a prompt has begun.
    private var outputEnd: UInt64?
    private static let commandLimit = 1024

    init(_ integration: ShellIntegration) {
        self.integration = integration
        status = ShellStatus(kind: integration.kind.rawValue)
    }

    /// The state, corrected for a shell that does not report typed commands.
    var currentStatus: ShellStatus {
        var current = status
        if status.state == .prompt, !isAtPrompt { (current.state, current.command) = (.running, nil) }
        return current
    }

    /// The mark of the prompt at which the shell is waiting; nil if it is not.
    var shownPrompt: ShellMark? {
        guard isAtPrompt else { return nil }
        return status.promptOffset.map { newMark(.input, at: $0) }
    }

    /// Continues with a new shell, which gets the lines that are waiting.
    mutating func restart(_ integration: ShellIntegration) {
        if let offered = removeOffered(), !offered.isWithdrawn || offered.isWantedAgain { lines.putBack(offered) }
        var next = Self(integration)
        next.lines = lines
        next.lines.current = nil
        (next.status.directory, next.status.turn) = (status.directory, status.turn)
        self = next
    }

    /// Handles the end of the shell, after which another one is started; returns how the line that was running has ended.
    mutating func stop(at offset: UInt64) -> [Step] {
        let steps = end(.unknown, at: offset)
        (status.state, status.command, status.promptOffset) = (.unknown, nil, nil)
        shells = []
        return steps + endTurns(at: offset)
    }

    // MARK: - Requests

    /// Whether the shell can take a line immediately, or is about to show its prompt.
    var isFree: Bool { (isAtPrompt || hasCommandEnded) && current == nil && lines.waiting.isEmpty }

    /// Whether the shell is waiting for a line; one that does not report typed commands can also be running one.
    private var isAtPrompt: Bool { status.state == .prompt && (hasEditor || isInForeground) }

    /// Whether the shell has shown its first prompt.
    var hasShownPrompt = false

    /// Withdraws a client's line; returns whether it was still waiting.
    ///
    /// A line that has been offered is withdrawn if the shell runs another line first, or does not take it in time.
    mutating func withdraw(from client: HolderClient) -> Bool {
        if current?.client === client, !isTaken { lines.current?.isWithdrawn = true }
        return lines.withdraw(from: client)
    }

    /// Drops the waiting lines of clients that have disconnected; returns whether one had been offered, and may already
    /// be running.
    mutating func dropAbandoned() -> Bool {
        lines.dropAbandoned()
        guard let client = current?.client, client.isGone else { return false }
        lines.current?.client = nil
        lines.current?.isWithdrawn = true
        return true
    }

    /// Returns the next line if the shell can take it; the caller offers it to the shell.
    mutating func offer() -> LineQueue.Request? {
        guard isAtPrompt, current == nil, !lines.waiting.isEmpty else { return nil }
        lines.advance()
        (isTaken, mayHaveLostKey, hasPromptBegun, outputEnd) = (false, false, false, nil)
        return current
    }

    /// Removes the line that the shell has been offered, but has not taken.
    mutating func removeOffered() -> LineQueue.Request? {
        isTaken ? nil : lines.current.take()
    }

    /// Ends the current line if its client has disconnected and the line has started a nested shell that is at its prompt,
    /// so that the nested shell can run lines.
    mutating func leaveAbandoned(at offset: UInt64) -> [Step] {
        guard isTaken, status.state == .prompt, current?.client == nil else { return [] }
        return end(.unknown, at: offset)
    }

    /// Removes all lines that the shell has not taken; returns their clients.
    mutating func removeWaiting() -> [HolderClient] {
        let offered = removeOffered()?.client
        return lines.removeWaiting() + [offered].compactMap(\.self)
    }

    // MARK: - Marks

    /// Processes a mark of the hook, found at `offset`; nil if it is malformed.
    mutating func apply(_ payload: String, at offset: UInt64, now: Timestamp) -> (mark: ShellMark, steps: [Step])? {
        let fields = payload.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
        func field(_ index: Int) -> Substring { index < fields.count ? fields[index] : "" }
        var steps: [Step] = []
        var mark: ShellMark
        switch field(0) {
        case "A":
            mark = newMark(.prompt, at: offset)
            promptStart = offset
            hasPromptBegun = true
            restoration.isRequested = false
            outputEnd = outputEnd ?? offset
            // The directory may contain semicolons.
            if !field(1).isEmpty { status.directory = Self.decoded(payload.dropFirst(2)) }
        case "B":
            mark = newMark(.input, at: offset)
            let fields = payload.split(separator: ";", omittingEmptySubsequences: false)
            let outcome = Shell(fields).map { reach($0) } ?? .unknown
            if fields.count > 7, let current, UInt64(fields[6]) == current.id, let status = UInt32(fields[7]) {
                steps = endCurrent(.end(status: status), at: outputEnd ?? offset)
            } else if hasPromptBegun, let outcome {
                steps = end(outcome, at: outputEnd ?? offset)
            }
            steps += endTurns(at: offset)
            mayHaveLostKey = current != nil && hasPromptBegun
            keepsText =
                fields.count > 2 && fields[2] == "1" && !restoration.isRequested
                && restoration.count < Self.maximumRestorations
            if keepsText { restoration = (true, restoration.count + 1) }
            (status.state, status.promptOffset, hasEditor) = (.prompt, offset, field(1) != "0")
            isInForeground = true
        case "P":
            mark = newMark(.continuation, at: offset)
            status.state = .continuation
        case "C":
            // Where the line is typed, the shell first reports the command that reads it.
            if status.state != .running || field(1).isEmpty { status.turn += 1 }
            mark = newMark(.command, at: offset, request: UInt64(field(1)) ?? 0)
            turns.removeAll { $0.number == mark.turn }
            turns.append((shells.last, mark.turn))
            begin(mark, text: field(2), now: now, &steps)
            (mark.command, mark.directory) = (status.command, status.directory)
        case "D":
            let fields = payload.split(separator: ";", omittingEmptySubsequences: false)
            guard let code = UInt32(field(1)), fields.count > 2 else { return nil }
            let processID = fields.count > 3 ? Int32(fields[3]) : nil
            mark = newMark(.end(status: code), at: offset, request: UInt64(fields[2]) ?? 0)
            if let turn = endTurn(in: processID) { mark.turn = turn }
            // A shell without a line editor may not report the start of commands.
            if status.state == .running || !hasEditor { status.lastExit = code }
            hasCommandEnded = true
            outputEnd = outputEnd ?? offset
            if let current, current.id == mark.request {
                steps = endCurrent(mark.kind, at: offset, isPrinted: true)
            } else if let processID, hasEnded(currentShellIn: processID) {
                steps = end(mark.kind, at: offset)
            }
        default: return nil
        }
        return (mark, steps)
    }

    /// Whether the shell that runs the current line was a command of the shell with this process ID, and has ended.
    private func hasEnded(currentShellIn processID: Int32) -> Bool {
        guard let runner = current?.shell.flatMap({ shells.firstIndex(of: $0) }) else { return false }
        return shells[..<runner].contains { $0.processID == processID }
    }

    /// Notes which shell is at its prompt, and returns how the current line has ended if it does not report that itself;
    /// nil if the line has started a shell.
    private mutating func reach(_ shell: Shell) -> ShellMark.Kind? {
        let top = shells.last
        if let index = shells.firstIndex(of: shell) {
            shells.removeSubrange((index + 1)...)
        } else {
            let replaced = shells.firstIndex { $0.processID == shell.processID } ?? shells.endIndex
            shells.replaceSubrange(replaced..., with: [shell])
        }
        if shell != top {
            (integration.kind, status.kind) = (shell.kind, shell.kind.rawValue)
        }
        guard let runner = current?.shell, runner != shell else { return .unknown }
        if shells.contains(runner) { return nil }
        if runner.processID == shell.processID { return .replaced }
        // The line has ended its shell, which was a command of this one.
        return hasCommandEnded ? status.lastExit.map { .end(status: $0) } : .unknown
    }

    private func newMark(_ kind: ShellMark.Kind, at offset: UInt64, request: UInt64 = 0) -> ShellMark {
        ShellMark(kind, at: offset, request: request, turn: status.turn)
    }

    private mutating func begin(_ mark: ShellMark, text: Substring, now: Timestamp, _ steps: inout [Step]) {
        (status.state, hasCommandEnded, outputEnd) = (.running, false, nil)
        restoration = (false, 0)
        status.startedAt = now
        status.command = text.isEmpty ? nil : Self.decoded(text)
        mayHaveLostKey = false
        // Without a line editor, this can be the command that is about to read the line.
        guard let request = current, !isTaken, request.id == mark.request || hasEditor else { return }
        integration.removeLine()
        if request.id == mark.request {
            (isTaken, hasPromptBegun) = (true, false)
            let line = String(decoding: request.line.prefix(4 * Self.commandLimit), as: UTF8.self)
            status.command = String(line.prefix(Self.commandLimit))
            lines.current?.marks.append(mark)
            lines.current?.shell = shells.last
            if let client = request.client { steps.append(.report(mark, to: client)) }
        } else {
            // A person's line came first.
            lines.current = nil
            if !request.isWithdrawn || request.isWantedAgain {
                lines.putBack(request)
            } else {
                if request.isIdentified { steps.append(.close(request.token, .unseen)) }
                if let client = request.client { steps.append(.refuse(client)) }
            }
        }
    }

    /// Ends the current line, which the shell has reported; one that is interrupted before it starts has no mark C.
    private mutating func endCurrent(_ kind: ShellMark.Kind, at offset: UInt64, isPrinted: Bool = false) -> [Step] {
        if !isTaken { integration.removeLine() }
        isTaken = true
        return end(kind, at: offset, isPrinted: isPrinted)
    }

    /// Ends the line that the shell is running, if any.
    mutating func end(_ kind: ShellMark.Kind, at offset: UInt64, isPrinted: Bool = false) -> [Step] {
        guard let request = current, isTaken else { return [] }
        var mark = newMark(kind, at: offset, request: request.id)
        if let turn = request.marks.first?.turn {
            mark.turn = turn
            turns.removeAll { $0.number == turn }
        }
        lines.end(with: mark)
        if case .replaced = kind { (status.state, status.command) = (.unknown, nil) }
        var report: [Step] = request.client.map { [.report(mark, to: $0)] } ?? []
        if request.isIdentified { report.append(.close(request.token, .done)) }
        return isPrinted ? report : [.record(mark)] + report
    }

    // MARK: - Turns

    /// Ends the turn of the shell that reports the end of a command; returns its number.
    private mutating func endTurn(in processID: Int32?) -> UInt64? {
        let index = turns.lastIndex { turn in
            processID == nil || turn.shell == nil || turn.shell?.processID == processID
        }
        guard let index else { return nil }
        return turns.remove(at: index).number
    }

    /// Ends the turns that cannot be running, because their shell is at its prompt or has ended.
    private mutating func endTurns(at offset: UInt64) -> [Step] {
        let running = Set(shells.dropLast())
        let ended = turns.filter { $0.shell.map { !running.contains($0) } ?? true }
        guard !ended.isEmpty else { return [] }
        turns.removeAll { turn in ended.contains { $0.number == turn.number } }
        return ended.map { turn in
            let isReplaced = turn.shell.map { shell in
                !shells.contains(shell) && shells.contains { $0.processID == shell.processID }
            }
            return .record(ShellMark(isReplaced ?? false ? .replaced : .unknown, at: offset, turn: turn.number))
        }
    }

    /// Decodes `%XX`, with which the hook encodes percent signs and control characters.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(Substring(rest.prefix(2))), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
