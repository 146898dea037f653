import Core
import Recording
import Runtime

/// Serves sessions to pages: `vt serve`.
package final class PageServer: WebSite {
    private struct State {
        /// The address of the page; nil until connections are accepted.
        var address: WebOrigin?
        /// The pages, each with a function that informs it of a change of the list.
        var pages: [Int: @Sendable () -> Void] = [:]
        /// The number of clients that have logged in with each link, and the maximum of all.
        var (clients, maximumClients) = ([String: Int](), 0)
        var pageCount = 0
        var ledgers: [(key: [UInt8], ledger: InputLedger)] = []

        var clientCount: Int { clients.values.reduce(0, +) }
    }

    private static let loginTimeout = Duration.seconds(5)
    /// The number of pages whose last input is remembered, for when they reconnect.
    private static let ledgerLimit = 256

    let version: String
    let watched: WatchedSessions
    let catalog: PageCatalog
    let links: PageLinks
    let tickets = PageTickets()
    let timelines: ScreenTimelines
    let clock: any Clock<Duration>
    private let report: @Sendable (PageEvent) -> Void
    let limit = LoginLimit()
    private let state = Monitor(State())

    /// Serves the given items, or all sessions of this machine; `report` is called with each event.
    package init(
        _ items: [PageItem],
        clock: any Clock<Duration>,
        version: String,
        diagnostics: any Diagnostics,
        client: @escaping @Sendable (String?) throws(VTError) -> SessionClient,
        report: @escaping @Sendable (PageEvent) -> Void
    ) {
        (self.clock, self.version, self.report) = (clock, version, report)
        watched = WatchedSessions(clock: clock, version: version, client: client)
        catalog = PageCatalog(items, watched, diagnostics)
        timelines = ScreenTimelines(watched)
        links = PageLinks(clock: clock)
    }

    /// Serves pages, and programs through the interface, until the task is canceled.
    package func run(
        on web: any WebServer,
        _ settings: WebSettings,
        interface: (any WebInterface)? = nil
    ) async throws(VTError) {
        state.withLock { $0.maximumClients = settings.maximumClients }
        try await catalog.load()
        do throws(VTError) {
            try await withWatch({ () async throws(VTError) in try await self.keepList() }) {
                () async throws(VTError) in
                try await web.serve(settings, self, interface: interface)
            }
        } catch {
            await watched.close()
            throw error
        }
    }

    /// Refreshes the list while there are pages.
    private func keepList() async throws(VTError) {
        var known = catalog.version
        while true {
            try await state.wait { $0.pages.isEmpty ? nil : () }
            // A machine that cannot be reached keeps its entries.
            try? await catalog.refresh()
            // Calls refresh the list as well.
            let version = catalog.version
            if version != known { for inform in state.withLock(\.pages).values { inform() } }
            known = version
            try await clock.pause(for: PageCatalog.interval)
        }
    }

    // MARK: - Web site

    package func isListening(at address: Endpoint, as origin: WebOrigin) async {
        state.withLock { $0.address = origin }
        var owner = PageLink()
        owner.role = .owner
        report(PageEvent(kind: .listening, url: makeLink(owner, to: nil).url, address: address.description))
    }

    package var clientCount: Int { state.withLock(\.clientCount) }

    package func refused(_ address: String, status: Int) {
        report(PageEvent(kind: .refused, address: address, status: status))
    }

    package func download(_ ticket: String) async -> WebDownload? {
        guard let ticket = tickets.take(ticket), links.isValid(ticket.access) else { return nil }
        let (entry, access, links) = (ticket.entry, ticket.access, links)
        switch entry.subject {
        case .session(let profile, let id):
            guard let client = try? watched.client(of: profile) else { return nil }
            let name = entry.reference.replacing(":", with: "-")
            return WebDownload(name: "\(name).cast", link: access.link) { sink throws(VTError) in
                try await links.whileValid(access) { () async throws(VTError) in
                    try await client.call(RecordRequest(), on: id.text, sink: sink)
                }
            }
        case .recording(let path):
            return WebDownload(name: entry.reference, link: access.link) { sink throws(VTError) in
                try await links.whileValid(access) { () async throws(VTError) in
                    let input = try ThreadedInput(path: path)
                    while let bytes = try await input.read() { try await sink.write(bytes) }
                }
            }
        }
    }

    package func converse(over channel: any PageChannel) async {
        let (access, isPage): (PageAccess, Bool)
        switch await login(over: channel) {
        case .success(let granted): (access, isPage) = granted
        case .failure(let refusal):
            refused(channel.address, status: Int(refusal.closing.rawValue))
            return await channel.close(refusal.closing)
        }
        guard enter(access) else {
            links.close(access.link)
            refused(channel.address, status: Int(PageClosing.tooManyClients.rawValue))
            return await channel.close(.tooManyClients)
        }
        channel.keep()
        let closing = await visited(access, from: channel.address) {
            await self.whileValid(access) {
                await isPage ? self.show(to: channel, access) : self.performCalls(over: channel, access)
            }
        }
        state.withLock { state in
            guard let count = state.clients[access.link] else { return }
            state.clients[access.link] = count > 1 ? count - 1 : nil
        }
        await channel.close(closing)
    }

    /// Reports a visit with a link that has been opened, which is closed afterward.
    func visited<Result: Sendable>(
        _ access: PageAccess,
        from address: String,
        _ visit: () async -> Result
    ) async -> Result {
        let event = PageEvent(kind: .joined, address: address, link: access.link, role: access.role)
        report(event)
        let result = await visit()
        links.close(access.link)
        var left = event
        left.kind = .left
        report(left)
        return result
    }

    /// Counts a client; returns false if there are too many.
    ///
    /// A link other than the owner's takes at most half of the places that the others leave.
    private func enter(_ access: PageAccess) -> Bool {
        state.withLock { state in
            let count = state.clients[access.link] ?? 0
            guard (access.role == .owner ? 0 : count) < state.maximumClients - state.clientCount else { return false }
            state.clients[access.link] = count + 1
            return true
        }
    }

    /// Runs `body` until it ends, or the link is revoked or expires.
    private func whileValid(
        _ access: PageAccess,
        _ body: @escaping @Sendable () async -> PageClosing
    ) async -> PageClosing {
        let links = links
        let closing = try? await firstResult { tasks in
            tasks.add { () async throws(VTError) -> PageClosing? in await body() }
            // Fails only when it is canceled.
            tasks.add { () async throws(VTError) -> PageClosing? in try? await links.end(of: access) }
        }
        return closing ?? .goingAway
    }

    private func show(to channel: any PageChannel, _ access: PageAccess) async -> PageClosing {
        let (id, changes) = addPage()
        let closing = await PageVisit(id, channel, access, changes, self).run()
        removePage(id)
        return closing
    }

    package func control(over channel: any SessionChannel) async {
        // A command that has gone gets no answer.
        try? await answerCommands(over: channel)
    }

    // MARK: - Pages

    private struct Refusal: Error {
        let closing: PageClosing
    }

    /// Receives the token of a client, which either shows pages or makes calls.
    private func login(
        over channel: any PageChannel
    ) async -> Result<(access: PageAccess, isPage: Bool), Refusal> {
        let late = VTError(.timedOut, "no login")
        do throws(VTError) {
            let message = try await withTimeout(Self.loginTimeout, on: clock, throwing: late) {
                () async throws(VTError) in
                try await channel.read()
            }
            let (access, isPage): (PageAccess?, Bool)
            switch try message.flatMap({ message throws(VTError) in try SessionFrame(message: message) }) {
            case .page(.login(let token, let key)) where Self.isKey(key):
                (access, isPage) = (try links.open(token, key.isEmpty ? .never : .always(key: key)), true)
            case .page(.relay(let token)): (access, isPage) = (try links.open(token), false)
            default: return .failure(Refusal(closing: .loginExpected))
            }
            if let access { return .success((access, isPage)) }
            let isTooMany = limit.recordFailure(of: channel.address)
            return .failure(Refusal(closing: isTooMany ? .tooManyLogins : .unknownLink))
        } catch {
            switch error.code {
            case .timedOut: return .failure(Refusal(closing: .loginTimedOut))
            case .authDenied: return .failure(Refusal(closing: .pageExpected))
            case .exists: return .failure(Refusal(closing: .usedLink))
            default: return .failure(Refusal(closing: .loginExpected))
            }
        }
    }

    /// Whether a key can replace a token; the page makes it from random bytes.
    private static func isKey(_ key: [UInt8]) -> Bool { key.isEmpty || (32...256).contains(key.count) }

    /// Adds a page, for which the list is kept up to date; the monitor is updated when the list has changed.
    func addPage() -> (id: Int, changes: Monitor<UInt64>) {
        let changes = Monitor(UInt64(1))
        let id = state.update { state in
            state.pageCount += 1
            state.pages[state.pageCount] = { changes.update { $0 += 1 } }
            return state.pageCount
        }
        return (id, changes)
    }

    func removePage(_ id: Int) {
        state.update { _ = $0.pages.removeValue(forKey: id) }
    }

    /// A number that no page has.
    func nextPage() -> Int {
        state.withLock { state in
            state.pageCount += 1
            return state.pageCount
        }
    }

    /// The ledger of a page for a session; the page is identified by its token.
    func ledger(of token: [UInt8], for entry: PageEntry) -> InputLedger {
        let key = token + entry.id.utf8
        return state.withLock { state in
            if let index = state.ledgers.firstIndex(where: { $0.key == key }) {
                let found = state.ledgers.remove(at: index)
                state.ledgers.append(found)
                return found.ledger
            }
            if state.ledgers.count >= Self.ledgerLimit { state.ledgers.removeFirst() }
            let ledger = InputLedger()
            state.ledgers.append((key, ledger))
            return ledger
        }
    }

    // MARK: - Links

    /// Makes a link, with its address.
    func makeLink(_ link: PageLink, to subject: PageSubject?) -> PageLink {
        var (link, token) = links.make(link, to: subject)
        link.url = (state.withLock(\.address)?.url ?? "") + "#k=\(token)"
        return link
    }
}

extension SessionFrame {
    /// Decodes a message that consists of one frame; nil if its kind is unknown.
    ///
    /// - Throws: `protocol` for anything else.
    init?(message: [UInt8]) throws(VTError) {
        var reader = WireReader(message[...])
        guard let length = reader.uint32(), Int(length) == message.count - 4, let kind = reader.byte() else {
            throw VTError(.protocolViolation, "a message is not a frame")
        }
        guard let frame = try SessionFrame(kind: kind, payload: reader.remainder()) else { return nil }
        self = frame
    }
}
