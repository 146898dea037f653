import Core

/// Tracks a session's shell by the marks of its hook, and the lines that clients want it to run.
///
/// A line is offered to the shell when it is at its prompt: the holder writes it to a file and sends a key, and the hook
/// takes it. The shell is then known to run it by its mark. A line that a person enters first is run first, and the offer
/// is repeated at the next prompt.
struct ShellTracker {
    /// A client's line.
    struct Request {
        let id: UInt64
        let token: [UInt8]
        /// Whether the token is recorded as the ID of the request.
        var isIdentified = false
        /// Empty once it has ended.
        var line: [UInt8]
        var input: LineInput?
        /// Nil once the client has disconnected.
        var client: HolderClient?
        /// Whether the client no longer waits for the shell to take the line.
        var isWithdrawn = false
        /// Whether another client waits for a line that has been withdrawn.
        var isWantedAgain = false
        /// The shell that runs it.
        var shell: PromptShell?
        /// The marks of its command so far.
        var marks: [ShellMark] = []
    }

    /// What the loop has to do about a mark.
    enum Step {
        /// Inform a client.
        case report(ShellMark, to: HolderClient)
        /// Answer a client whose line has been withdrawn.
        case refuse(HolderClient)
        /// Record a mark that the hook has not printed.
        case record(ShellMark)
        /// Remove the file with the line.
        case clear
        /// Record the state of a request with an ID.
        case close([UInt8], RequestState)
    }

    var integration: ShellIntegration
    /// The shells that have shown a prompt and may be running; each is started in the one before it.
    private(set) var shells: [PromptShell] = []
    private(set) var status: ShellStatus
    /// Whether the hook's key works at the current prompt.
    private(set) var hasEditor = true
    /// Whether the terminal's foreground process group is that of the shell; set before each use of the tracker.
    var isInForeground = true
    private(set) var queue: [Request] = []
    /// The line that the shell has been offered, or is running.
    private(set) var current: Request?
    /// Whether the shell has taken the current line.
    private(set) var isTaken = false
    /// Whether the current line has been offered at an earlier prompt, whose end may have discarded the key.
    private(set) var mayHaveLostKey = false
    /// Whether the hook has put aside what a person had typed, and restores it when it receives the key.
    private(set) var keepsText = false
    /// Whether the last command has ended.
    private(set) var hasCommandEnded = false
    /// The offset at which the last prompt begins.
    private(set) var promptStart: UInt64?
    /// The turns that have not ended, outermost first, each with the shell that runs it.
    var turns: [(shell: PromptShell?, number: UInt64)] = []
    /// Whether a prompt has begun since the current line was offered or taken; a prompt that is only redrawn has not.
    private var hasPromptBegun = false
    /// The end of the output of the last command, once it has ended or a prompt has begun.
    private var outputEnd: UInt64?
    /// Lines that have ended, most recent last.
    private var ended: [Request] = []
    /// Whether a line that was requested before may have been run and forgotten.
    private(set) var hasForgotten = false
    private var lastID: UInt64 = 0

    /// The number of ended lines whose outcome is kept for clients that reconnect.
    private static let endedLimit = 256
    /// The maximum number of waiting lines.
    static let queueLimit = 64
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
        if let offered = removeOffered(), !offered.isWithdrawn || offered.isWantedAgain { putBack(offered) }
        self.integration = integration
        let (directory, turn) = (status.directory, status.turn)
        status = ShellStatus(kind: integration.kind.rawValue)
        (status.turn, status.directory) = (turn, directory)
        (shells, current, outputEnd) = ([], nil, nil)
        (hasEditor, isInForeground) = (true, true)
        (isTaken, mayHaveLostKey, keepsText, hasCommandEnded, hasPromptBegun) = (false, false, false, false, false)
        hasShownPrompt = false
    }

    /// Handles the end of the shell, after which another one is started; returns how the line that was running has ended.
    mutating func stop(at offset: UInt64) -> [Step] {
        let steps = end(.unknown, at: offset)
        (status.state, status.command, status.promptOffset) = (.unknown, nil, nil)
        shells = []
        return steps + endTurns(at: offset)
    }

    /// Counts commands from those that the shells of an earlier holder have run.
    mutating func continueCount(_ turn: UInt64) {
        status.turn = turn
    }

    // MARK: - Requests

    /// Whether the shell can take a line immediately, or is about to show its prompt.
    var isFree: Bool { (isAtPrompt || hasCommandEnded) && current == nil && queue.isEmpty }

    /// Whether the shell is waiting for a line; one that does not report typed commands can also be running one.
    private var isAtPrompt: Bool { status.state == .prompt && (hasEditor || isInForeground) }

    /// Whether the shell has shown its first prompt.
    var hasShownPrompt = false

    /// The request with this token, with the marks of its command so far.
    mutating func adopt(_ token: [UInt8], by client: HolderClient) -> Request? {
        if current?.token == token {
            current?.client?.yieldLine(to: client)
            current?.client = client
            if current?.isWithdrawn ?? false { current?.isWantedAgain = true }
            return current
        }
        if let index = queue.firstIndex(where: { $0.token == token }) {
            queue[index].client?.yieldLine(to: client)
            queue[index].client = client
            return queue[index]
        }
        return ended.last { $0.token == token }
    }

    mutating func add(
        _ execution: SessionFrame.Execution,
        isIdentified: Bool = false,
        from client: HolderClient
    ) -> UInt64 {
        lastID += 1
        var request = Request(id: lastID, token: execution.token, line: execution.line)
        (request.input, request.client, request.isIdentified) = (client.input, client, isIdentified)
        queue.append(request)
        client.input = nil
        return lastID
    }

    /// Withdraws a client's line; returns whether it was still waiting.
    ///
    /// A line that has been offered is withdrawn if the shell runs another line first, or does not take it in time.
    mutating func withdraw(from client: HolderClient) -> Bool {
        if current?.client === client, !isTaken { current?.isWithdrawn = true }
        guard let index = queue.firstIndex(where: { $0.client === client }) else { return false }
        queue.remove(at: index)
        return true
    }

    /// Drops the waiting lines of clients that have disconnected; returns whether one had been offered, and may already
    /// be running.
    mutating func dropAbandoned() -> Bool {
        queue.removeAll { $0.client?.isGone ?? true }
        guard let client = current?.client, client.isGone else { return false }
        current?.client = nil
        current?.isWithdrawn = true
        return true
    }

    /// Returns the next line if the shell can take it; the caller offers it to the shell.
    mutating func offer() -> Request? {
        guard isAtPrompt, current == nil, !queue.isEmpty else { return nil }
        let request = queue.removeFirst()
        (current, isTaken, mayHaveLostKey, hasPromptBegun) = (request, false, false, false)
        outputEnd = nil
        return request
    }

    /// Removes the line that the shell has been offered, but has not taken.
    mutating func removeOffered() -> Request? {
        guard !isTaken else { return nil }
        defer { current = nil }
        return current
    }

    /// Makes a line that the shell has not taken the next one.
    mutating func putBack(_ request: Request) {
        var request = request
        (request.isWithdrawn, request.isWantedAgain) = (false, false)
        queue.insert(request, at: 0)
    }

    /// Ends the current line if its client has disconnected and the line has started a nested shell that is at its prompt,
    /// so that the nested shell can run lines.
    mutating func leaveAbandoned(at offset: UInt64) -> [Step] {
        guard isTaken, status.state == .prompt, current?.client == nil else { return [] }
        return end(.unknown, at: offset)
    }

    /// Removes all lines that the shell has not taken; returns their clients.
    mutating func removeWaiting() -> [HolderClient] {
        let waiting = queue + (removeOffered().map { [$0] } ?? [])
        queue = []
        return waiting.compactMap(\.client)
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
            outputEnd = outputEnd ?? offset
            // The directory may contain semicolons.
            if !field(1).isEmpty { status.directory = Self.decoded(payload.dropFirst(2)) }
        case "B":
            mark = newMark(.input, at: offset)
            let fields = payload.split(separator: ";", omittingEmptySubsequences: false)
            let outcome = PromptShell(fields).map { reach($0) } ?? .unknown
            if fields.count > 7, let current, UInt64(fields[6]) == current.id, let status = UInt32(fields[7]) {
                steps = endCurrent(.end(status: status), at: outputEnd ?? offset)
            } else if hasPromptBegun, let outcome {
                steps = end(outcome, at: outputEnd ?? offset)
            }
            steps += endTurns(at: offset)
            mayHaveLostKey = current != nil && hasPromptBegun
            keepsText = fields.count > 2 && fields[2] == "1"
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
    private mutating func reach(_ shell: PromptShell) -> ShellMark.Kind? {
        let top = shells.last
        if let index = shells.firstIndex(of: shell) {
            shells.removeSubrange((index + 1)...)
        } else {
            let replaced = shells.firstIndex { $0.processID == shell.processID } ?? shells.endIndex
            shells.replaceSubrange(replaced..., with: [shell])
        }
        if shell != top {
            (integration.kind, status.kind) = (shell.kind, shell.kind.rawValue)
            integration.forgetImage()
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
        status.startedAt = now
        status.command = text.isEmpty ? nil : Self.decoded(text)
        mayHaveLostKey = false
        // Without a line editor, this can be the command that is about to read the line.
        guard let request = current, !isTaken, request.id == mark.request || hasEditor else { return }
        steps.append(.clear)
        if request.id == mark.request {
            (isTaken, hasPromptBegun) = (true, false)
            let line = String(decoding: request.line.prefix(4 * Self.commandLimit), as: UTF8.self)
            status.command = String(line.prefix(Self.commandLimit))
            current?.marks.append(mark)
            current?.shell = shells.last
            if let client = request.client { steps.append(.report(mark, to: client)) }
        } else {
            // A person's line came first.
            current = nil
            if !request.isWithdrawn || request.isWantedAgain {
                putBack(request)
            } else {
                if request.isIdentified { steps.append(.close(request.token, .unseen)) }
                if let client = request.client { steps.append(.refuse(client)) }
            }
        }
    }

    /// Ends the current line, which the shell has reported; one that is interrupted before it starts has no mark C.
    private mutating func endCurrent(_ kind: ShellMark.Kind, at offset: UInt64, isPrinted: Bool = false) -> [Step] {
        let steps: [Step] = isTaken ? [] : [.clear]
        isTaken = true
        return steps + end(kind, at: offset, isPrinted: isPrinted)
    }

    /// Ends the line that the shell is running, if any.
    mutating func end(_ kind: ShellMark.Kind, at offset: UInt64, isPrinted: Bool = false) -> [Step] {
        guard var request = current, isTaken else { return [] }
        var mark = newMark(kind, at: offset, request: request.id)
        if let turn = request.marks.first?.turn {
            mark.turn = turn
            turns.removeAll { $0.number == turn }
        }
        request.marks.append(mark)
        current = nil
        let client = request.client
        (request.client, request.line, request.input) = (nil, [], nil)
        ended.append(request)
        if ended.count > Self.endedLimit {
            ended.removeFirst()
            hasForgotten = true
        }
        if case .replaced = kind { (status.state, status.command) = (.unknown, nil) }
        var report: [Step] = client.map { [.report(mark, to: $0)] } ?? []
        if request.isIdentified { report.append(.close(request.token, .done)) }
        return isPrinted ? report : [.record(mark)] + report
    }

    // MARK: - Turns

    /// Sets the command line of a turn that has just started, which the shell has not reported.
    mutating func setCommand(_ text: String) {
        status.command = text
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
