import Core

/// Lines that clients want to be typed into a shell without a hook, one at a time.
struct AssumedLines {
    struct Request {
        let id: UInt64
        let token: [UInt8]
        /// A random token in the marks, which is used only once, because the shell echoes it.
        let once = RandomIdentifier.make()
        let line: [UInt8]
        let shell: AssumedShell
        /// Nil once the client has disconnected.
        var client: HolderClient?
        /// The marks so far: C, and then D or U.
        var marks: [ShellMark] = []

        var keys: [UInt8] { shell.keys(for: line, token: once, id: id) }
    }

    private(set) var current: Request?
    private var queue: [Request] = []
    private var ended: [Request] = []
    private var lastID: UInt64 = 0
    /// Whether the current line may have been interrupted, so that its end would not be reported.
    private var wasInterrupted = false

    private static let endedLimit = 64

    /// Whether a line can be typed, or wait for that.
    func hasRoom(waits: Bool) -> Bool {
        (current == nil || waits || isAbandoned) && queue.count < ShellTracker.queueLimit
    }

    /// Whether the client of the current line has disconnected after an interrupt; the end of the line may never be
    /// reported.
    private var isAbandoned: Bool { wasInterrupted && current.map { $0.client?.isGone ?? true } ?? false }

    /// The request with this token, which has been made before.
    mutating func adopt(_ token: [UInt8], by client: HolderClient) -> Request? {
        if current?.token == token {
            current?.client?.yieldLine(to: client)
            current?.client = client
            return current
        }
        if let index = queue.firstIndex(where: { $0.token == token }) {
            queue[index].client?.yieldLine(to: client)
            queue[index].client = client
            return queue[index]
        }
        return ended.last { $0.token == token }
    }

    mutating func add(_ execution: SessionFrame.Execution, _ shell: AssumedShell, from client: HolderClient) -> Request
    {
        lastID += 1
        let request = Request(id: lastID, token: execution.token, line: execution.line, shell: shell, client: client)
        queue.append(request)
        return request
    }

    /// Returns the next line to type, if there is one.
    mutating func next() -> Request? {
        queue.removeAll { $0.client?.isGone ?? true }
        if !queue.isEmpty, isAbandoned { current = nil }
        guard current == nil, !queue.isEmpty else { return nil }
        (current, wasInterrupted) = (queue.removeFirst(), false)
        return current
    }

    /// Processes input for the terminal, which may contain ^C or ^\.
    mutating func checkForInterrupt(_ bytes: [UInt8]) {
        if current != nil, bytes.contains(where: { $0 == 0x03 || $0 == 0x1C }) { wasInterrupted = true }
    }

    /// Processes a mark with the token of the current line; returns it if it is valid.
    mutating func apply(_ payload: String, at offset: UInt64) -> ShellMark? {
        guard let request = current else { return nil }
        let fields = payload.split(separator: ";", omittingEmptySubsequences: false)
        let isStart = fields.count > 1 && fields[0] == "C" && fields[1] == String(request.id) && request.marks.isEmpty
        guard !isStart else {
            let mark = ShellMark(.command, at: offset, request: request.id, turn: 0)
            current?.marks.append(mark)
            return mark
        }
        guard fields.count == 3, fields[0] == "D", fields[2] == String(request.id), !request.marks.isEmpty,
            let status = UInt32(fields[1])
        else { return nil }
        return end(.end(status: status), at: offset)
    }

    /// Ends the current line; returns the mark for its client.
    mutating func end(_ kind: ShellMark.Kind, at offset: UInt64) -> ShellMark? {
        guard var request = current else { return nil }
        let mark = ShellMark(kind, at: offset, request: request.id, turn: 0)
        request.marks.append(mark)
        request.client = nil
        ended.append(request)
        if ended.count > Self.endedLimit { ended.removeFirst() }
        current = nil
        return mark
    }

    /// Removes a client's line that has not been typed; returns whether there was one.
    mutating func withdraw(from client: HolderClient) -> Bool {
        let count = queue.count
        queue.removeAll { $0.client === client }
        return queue.count < count
    }
}
