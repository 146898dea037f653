import Core

/// The lines that clients want a shell to run, one at a time.
struct LineQueue {
    /// A client's line.
    struct Request {
        let id: UInt64
        let token: [UInt8]
        /// Whether the token is recorded as the ID of the request.
        var isIdentified = false
        /// Empty once it has ended.
        var line: [UInt8]
        /// The shell to type it into; nil if the hook of the session's shell takes it.
        let assumedShell: AssumedShell?
        var input: ShellIntegration.Input?
        /// Nil once the client has disconnected.
        var client: HolderClient?
        /// Whether the client no longer waits for the shell to take the line.
        var isWithdrawn = false
        /// Whether another client waits for a line that has been withdrawn.
        var isWantedAgain = false
        /// The shell that runs it.
        var shell: ShellTracker.Shell?
        /// The marks of its command so far.
        var marks: [ShellMark] = []
    }

    /// The line that the shell has been offered, or is running.
    var current: Request?
    private(set) var waiting: [Request] = []
    /// Lines that have ended, most recent last.
    private var ended: [Request] = []
    /// Whether a line that was requested before may have been run and forgotten.
    private(set) var hasForgotten = false
    private var lastID: UInt64 = 0

    /// The number of ended lines whose outcome is kept for clients that reconnect.
    private static let endedLimit = 256
    private static let waitingLimit = 64

    /// Whether no further line can wait.
    var isFull: Bool { waiting.count >= Self.waitingLimit }

    mutating func add(_ execution: SessionFrame.Execution, isIdentified: Bool = false, from client: HolderClient) {
        lastID += 1
        waiting.insert(
            Request(
                id: lastID,
                token: execution.token,
                isIdentified: isIdentified,
                line: execution.line,
                assumedShell: execution.assumedShell,
                input: client.input,
                client: client
            ),
            at: client.isForced ? 0 : waiting.endIndex
        )
        client.input = nil
        client.answer(.queued(request: lastID))
    }

    /// Assigns the line with this token to a client, and sends it the marks so far; returns false if there is none.
    mutating func adopt(_ token: [UInt8], by client: HolderClient) -> Bool {
        var known = ended.last { $0.token == token }
        if current?.token == token {
            current?.client?.yieldLine(to: client)
            current?.client = client
            if current?.isWithdrawn ?? false { current?.isWantedAgain = true }
            known = current
        } else if let index = waiting.firstIndex(where: { $0.token == token }) {
            waiting[index].client?.yieldLine(to: client)
            waiting[index].client = client
            known = waiting[index]
        }
        guard let known else { return false }
        client.answer(.queued(request: known.id))
        for mark in known.marks { client.answer(.mark(mark)) }
        return true
    }

    /// Makes the next line the current one.
    mutating func advance() {
        current = waiting.removeFirst()
    }

    /// Makes a line that the shell has not taken the next one.
    mutating func putBack(_ request: Request) {
        var request = request
        (request.isWithdrawn, request.isWantedAgain) = (false, false)
        waiting.insert(request, at: 0)
    }

    /// Ends the current line; this is its last mark.
    mutating func end(with mark: ShellMark) {
        guard var request = current.take() else { return }
        request.marks.append(mark)
        (request.client, request.line, request.input) = (nil, [], nil)
        ended.append(request)
        if ended.count > Self.endedLimit {
            ended.removeFirst()
            hasForgotten = true
        }
    }

    /// Removes the lines of a client that are still waiting; returns false if there are none.
    mutating func withdraw(from client: HolderClient) -> Bool {
        let count = waiting.count
        waiting.removeAll { $0.client === client }
        return waiting.count < count
    }

    /// Removes the waiting lines of clients that have disconnected.
    mutating func dropAbandoned() {
        waiting.removeAll { $0.client?.isGone ?? true }
    }

    /// Removes all waiting lines, and returns their clients.
    mutating func removeWaiting() -> [HolderClient] {
        defer { waiting = [] }
        return waiting.compactMap(\.client)
    }
}
