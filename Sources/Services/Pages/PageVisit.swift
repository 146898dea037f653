import Core
import Runtime
import System
import Terminal

/// The conversation with a page that has logged in.
actor PageVisit {
    private let id: Int
    private let channel: any PageChannel
    private let access: PageAccess
    private let server: PageServer
    /// Updated when there may be something to send.
    private let changes: Monitor<UInt64>

    private var entry: PageEntry?
    /// Nil for a recording.
    private var session: WatchedSession?
    private var ledger: InputLedger?
    /// The number of the last `rows`, and of the last that was painted.
    private var (sent, shown): (UInt64, UInt64) = (0, 0)
    /// The version of the screen that was sent last.
    private var seen: UInt64 = 0
    private var hasSentEnd = false
    /// The screen at a time in the past, if that is what the page shows.
    private var past: PaintedScreen?
    /// The time that the page has requested last.
    private var request: (time: UInt64?, step: PageFrame.Step)?
    private var listVersion: UInt64?
    /// Whether the page has been told that the connection to the session is lost.
    private var isToldOfLoss = false

    private static let historyLimit = 500
    /// The maximum size of the rows above the screen in one answer; a row that is larger is sent empty.
    private static let historyBytes = 63 << 10

    init(
        _ id: Int,
        _ channel: any PageChannel,
        _ access: PageAccess,
        _ changes: Monitor<UInt64>,
        _ server: PageServer
    ) {
        (self.id, self.channel, self.access, self.changes, self.server) = (id, channel, access, changes, server)
    }

    /// Converses until the page has gone; returns the reason to close the connection with.
    func run() async -> PageClosing {
        defer { leave() }
        do throws(VTError) {
            return try await firstResult { tasks in
                tasks.add { () async throws(VTError) in try await self.listen() }
                tasks.add { () async throws(VTError) in try await self.talk() }
            }
        } catch {
            return error.code == .protocolViolation ? .protocolError : .goingAway
        }
    }

    // MARK: - Requests

    private func listen() async throws(VTError) -> PageClosing {
        while let message = try await channel.read() {
            // Later versions may have other requests.
            guard let frame = try SessionFrame(message: message) else { continue }
            try await perform(frame)
        }
        return .goingAway
    }

    private func perform(_ frame: SessionFrame) async throws(VTError) {
        switch frame {
        case .page(.watch(let token, let name)): try await watch(name, token: token)
        case .page(.shown(let number)):
            guard number <= sent else { return }
            shown = max(shown, number)
            notify()
        case .input(let sequence, _, let bytes): try await send(.bytes(bytes), as: sequence)
        case .page(.key(let sequence, let name)): try await send(.key(name), as: sequence)
        case .page(.paste(let sequence, let bytes)): try await send(.paste(bytes), as: sequence)
        case .resize(let size):
            guard access.role.canType, let session, let size else { return }
            // The new size is the answer.
            session.resize(to: size)
        case .page(.history(let first, let count)):
            try await sendHistory(first: Int(first), count: min(Int(count), Self.historyLimit))
        case .page(.seek(let time, let step)):
            request = (time, step)
            notify()
        case .page(.download): try await sendTicket()
        case .ask(let request) where request.action == .done || request.action == .refuse: try await answer(request)
        default: throw VTError(.protocolViolation, "the page sent a frame that is not a request")
        }
    }

    private func leave() {
        if let session { server.watched.leave(session, page: id) }
        (entry, session, ledger, past, request) = (nil, nil, nil, nil, nil)
    }

    private func watch(_ name: String, token: [UInt8]) async throws(VTError) {
        leave()
        guard !name.isEmpty else { return }
        let joined: (session: WatchedSession?, entry: PageEntry)
        do throws(VTError) {
            joined = try await server.catalog.withCurrent({ () throws(VTError) in
                try server.catalog.entry(name, for: access)
            }) { entry async throws(VTError) in
                try await join(entry, name)
            }
        } catch {
            guard !error.isCancellation else { throw error }
            return try await send(.failure(error))
        }
        // A page that cannot type must not take the place of a ledger of another one.
        let ledger = access.role.canType ? server.ledger(of: token, for: joined.entry) : nil
        let document = JSONWriter.object { writer in
            writer.member("session", joined.entry.reference)
            if joined.session != nil { writer.member("id", joined.entry.id) }
            writer.member("role", joined.session == nil ? .read : access.role)
            writer.member("duration", joined.entry.duration)
            writer.member("started_at", joined.entry.startedAt)
        }
        try await send(.page(.watching(lastInput: ledger?.adopt(by: id) ?? 0, document: document)))
        (entry, session, self.ledger) = (joined.entry, joined.session, ledger)
        (seen, shown, hasSentEnd, isToldOfLoss) = (0, sent, false, false)
        if session == nil { request = (0, .none) }
        notify()
    }

    private func join(
        _ entry: PageEntry,
        _ name: String
    ) async throws(VTError) -> (session: WatchedSession?, entry: PageEntry) {
        guard case .session(let profile, let id) = entry.subject else { return (nil, entry) }
        let changes = changes
        let session = try server.watched.join(id, on: profile, named: name, page: self.id) {
            changes.update { $0 += 1 }
        }
        do throws(VTError) {
            try await session.ready()
        } catch {
            server.watched.leave(session, page: self.id)
            throw error
        }
        return (session, entry)
    }

    /// Sends input to the program; waits while there are too many answers that the page has not read.
    private func send(_ input: WatchedSession.Input, as sequence: UInt64) async throws(VTError) {
        guard entry != nil else { return }
        guard let ledger else {
            return try await send(.failure(VTError(.authDenied, "this link does not allow typing")))
        }
        guard try await ledger.receive(sequence) else { return }
        if let session {
            session.send(input, as: sequence, of: ledger)
        } else {
            ledger.answer(sequence, with: .failure(VTError(.usage, "a recording takes no input")))
        }
        notify()
    }

    /// Answers a question; the new list, in which it is no longer, is the confirmation.
    private func answer(_ request: QuestionRequest) async throws(VTError) {
        guard access.role.canType, let session else { return }
        do throws(VTError) {
            try await session.client.call(request, on: session.id.text)
            try await server.catalog.refresh(isForced: true)
        } catch {
            guard !error.isCancellation else { throw error }
            try await send(.note(error.message, isDetail: false))
        }
        notify()
    }

    private func sendTicket() async throws(VTError) {
        guard let entry else { return }
        let document = JSONWriter.object { $0.member("path", "download/\(server.tickets.make(for: entry, access))") }
        try await send(.result(document))
    }

    private func sendHistory(first: Int, count: Int) async throws(VTError) {
        let history = session?.history(first: first, count: count) ?? (rows: [], available: 0)
        var (rows, bytes) = ([[UInt8]](), 0)
        // The page requests the older rows again.
        for var row in history.rows.reversed() {
            var json = Self.json(row)
            if json.count > Self.historyBytes {
                row.cells = []
                json = Self.json(row)
            }
            bytes += json.count + 1
            guard bytes <= Self.historyBytes else { break }
            rows.append(json)
        }
        let document = JSONWriter.object { writer in
            writer.member("first", first)
            writer.member("available", history.available)
            writer.array("rows") { writer in
                for row in rows.reversed() { writer.json(row) }
            }
        }
        try await send(.page(.document(.history, document)))
    }

    private static func json(_ row: ScreenRow) -> [UInt8] {
        JSONWriter.object { writer in ScreenRow.fields.write(row, to: &writer) }
    }

    // MARK: - News

    private func notify() {
        changes.update { $0 += 1 }
    }

    /// Sends what there is to send, until the page has gone.
    private func talk() async throws(VTError) -> PageClosing {
        try await sendWelcome()
        var last: UInt64 = 0
        while true {
            let known = last
            last = try await changes.wait { $0 == known ? nil : $0 }
            try await sendAnswers()
            try await sendList()
            try await sendLoss()
            try await sendRows()
        }
    }

    private func sendWelcome() async throws(VTError) {
        let document = JSONWriter.object { writer in
            writer.member("role", access.role)
            if access.isReusable { writer.member("reusable", true) }
            writer.member("version", server.version)
            writer.member("expires_at", access.expiresAt)
        }
        try await send(.page(.document(.welcome, document)))
    }

    private func sendAnswers() async throws(VTError) {
        guard let ledger else { return }
        for answer in ledger.takeAnswers(for: id) { try await send(answer) }
    }

    private func sendList() async throws(VTError) {
        guard server.catalog.version != listVersion else { return }
        let list = server.catalog.list(for: access)
        listVersion = list.version
        try await send(.page(.document(.sessions, list.json)))
    }

    /// Tells the page that the connection to the session's machine is lost, or works again.
    private func sendLoss() async throws(VTError) {
        guard let session, session.isLost != isToldOfLoss else { return }
        isToldOfLoss.toggle()
        let text = isToldOfLoss ? "Lost the connection to the session, reconnecting" : "The connection works again"
        try await send(.note(text, isDetail: false))
    }

    /// Sends the rows that have changed, once the page has painted the previous ones.
    private func sendRows() async throws(VTError) {
        guard shown == sent else { return }
        if let request {
            self.request = nil
            try await seek(request.time, request.step)
        }
        guard past == nil, let session, shown == sent else { return }
        while let delay = session.paint() {
            try await server.clock.pause(for: delay)
        }
        // The page may have gone to another session in the meantime.
        guard session === self.session else { return }
        let screen = session.painted
        if screen.version > seen, let rows = screen.update(number: sent + 1, since: seen) {
            (sent, seen) = (sent + 1, screen.version)
            try await send(.page(.document(.rows, rows)))
        } else if let end = session.end, !hasSentEnd {
            hasSentEnd = true
            try await send(end)
        }
    }

    /// Sends the screen at a time in the past, or returns to the current one.
    private func seek(_ time: UInt64?, _ step: PageFrame.Step) async throws(VTError) {
        guard let entry else { return }
        guard time != nil || session == nil else {
            (past, seen) = (nil, 0)
            return
        }
        let time = Int64(clamping: time ?? .max)
        let screen: PaintedScreen
        do throws(VTError) {
            // A step needs what follows: at the end of what is known, the session may have gone on.
            let needed = step == .none || time == .max ? time : time + 1
            let timeline = try await server.timelines.timeline(of: entry, including: needed)
            let old = past ?? PaintedScreen()
            screen = try await onOwnThread { () throws(VTError) in try timeline.show(time, step, on: old) }
        } catch {
            guard !error.isCancellation else { throw error }
            // The page keeps the screen that it shows.
            return try await send(.note("cannot show this time: \(error.message)", isDetail: false))
        }
        // The page may have requested another time in the meantime, or have left.
        guard entry == self.entry, request == nil else { return notify() }
        let known = past?.version ?? 0
        past = screen
        guard let rows = screen.update(number: sent + 1, since: known) else { return }
        sent += 1
        try await send(.page(.document(.rows, rows)))
    }

    private func send(_ frame: SessionFrame) async throws(VTError) {
        try await channel.write(frame.encoded)
    }
}
