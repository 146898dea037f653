import Core
import Runtime
import Storage

/// The links of a server, which are forgotten when it ends.
final class PageLinks: Sendable {
    private struct Entry {
        var link: PageLink
        var subject: PageSubject?
        /// The SHA-256 digest of the token, or of the key that has replaced it.
        var digest: [UInt8]
        /// The digest of the token that the key has replaced.
        var usedDigest: [UInt8]?
        /// Held while something that takes long is done for one of the clients.
        let lock = AsyncLock()

        var isExchanged: Bool { usedDigest != nil }

        /// Replaces the token by a key with this digest, if that is to be done; returns whether it is in use now.
        mutating func exchange(_ exchange: Exchange, for key: [UInt8]?) -> Bool {
            if case .never = exchange { return false }
            guard let key, digest != key else { return isExchanged }
            if case .ifOnce = exchange, !link.isOnce { return false }
            if case .always = exchange { link.isUsed = true }
            guard !link.isReusable, !isExchanged else { return false }
            (usedDigest, digest, link.isUsed) = (digest, key, true)
            return true
        }
    }

    private struct State {
        var entries: [Entry] = []
        var count = 0

        /// The link that has not expired whose token, or the key that has replaced it, has this digest.
        func index(of digest: [UInt8]?) -> Int? {
            guard let digest, let index = PageLinks.index(of: digest, in: entries.map(\.digest)),
                !entries[index].link.isExpired
            else { return nil }
            return index
        }
    }

    /// In seconds; for a page that stays longer, its link counts as expired.
    private static let longestLifetime: Int64 = 10 * 365 * 86_400

    private let state = Monitor(State())
    private let clock: any Clock<Duration>

    init(clock: any Clock<Duration>) {
        self.clock = clock
    }

    /// Makes a link; returns it with its token, which is not kept.
    func make(_ link: PageLink, to subject: PageSubject?) -> (link: PageLink, token: String) {
        let token = RandomIdentifier.make()
        return state.update { state in
            state.entries.removeAll { $0.link.isExpired }
            state.count += 1
            var link = link
            link.id = "L\(state.count)"
            state.entries.append(Entry(link: link, subject: subject, digest: Digests.sha256(Array(token.utf8))))
            return (link, token)
        }
    }

    /// Whether a client replaces the token of a link by a key that only it has.
    enum Exchange {
        /// A program, which keeps the token in a safe place.
        case never
        /// A page, whose browser keeps the token in its history.
        case always(key: [UInt8])
        /// A program that can replace the token if necessary: if the link can be used once.
        case ifOnce(key: [UInt8])
    }

    /// Returns what a client with this token or key may do; nil if the link is unknown or has expired.
    ///
    /// A page that has not received the answer can send the same token and key again.
    ///
    /// - Throws: `exists` for a token that another client has exchanged; `auth.denied` for a link that can be used once
    ///   unless the client replaces it.
    func open(_ token: [UInt8], _ exchange: Exchange = .never) throws(VTError) -> PageAccess? {
        let digest = Digests.sha256(token)
        return try state.update { state -> Result<PageAccess?, VTError> in
            let key: [UInt8]? =
                switch exchange {
                case .never: nil
                case .always(let key), .ifOnce(let key): Digests.sha256(key)
                }
            guard let index = state.index(of: key) ?? state.index(of: digest) else {
                let isUsed = Self.index(of: digest, in: state.entries.map { $0.usedDigest ?? [] }) != nil
                return isUsed ? .failure(VTError(.exists, "another page has used the link")) : .success(nil)
            }
            let isExchanged = state.entries[index].exchange(exchange, for: key)
            let entry = state.entries[index]
            guard !entry.link.isOnce || entry.isExchanged else {
                return .failure(VTError(.authDenied, "the link can be used once, by a page"))
            }
            state.entries[index].link.pages += 1
            var access = PageAccess(entry.link, entry.subject)
            access.hasKey = isExchanged
            return .success(access)
        }.get()
    }

    /// Returns what a token or key allows, without opening its link; nil if the link is unknown, has expired, or can be
    /// used once and has not been opened.
    func access(with token: [UInt8]) -> PageAccess? {
        let digest = Digests.sha256(token)
        return state.withLock { state in
            guard let index = state.index(of: digest) else { return nil }
            let entry = state.entries[index]
            return entry.link.isOnce && !entry.isExchanged ? nil : PageAccess(entry.link, entry.subject)
        }
    }

    /// Whether a link has neither been revoked nor expired since it was opened.
    func isValid(_ access: PageAccess) -> Bool {
        state.withLock { state in state.entries.contains { $0.link.id == access.link && !$0.link.isExpired } }
    }

    /// The lock that the clients with a link share.
    func lock(of access: PageAccess) -> AsyncLock {
        state.withLock { state in state.entries.first { $0.link.id == access.link }?.lock } ?? AsyncLock()
    }

    /// Records that a page has disconnected.
    func close(_ id: String) {
        state.update { state in
            guard let index = state.entries.firstIndex(where: { $0.link.id == id }) else { return }
            state.entries[index].link.pages -= 1
        }
    }

    /// The links that have not expired, each with what `name` returns for its session or recording, if anything.
    func all(named name: (PageSubject) -> String? = { _ in nil }) -> [PageLink] {
        state.withLock { $0.entries.filter { !$0.link.isExpired } }.map { entry in
            var link = entry.link
            link.session = entry.subject.flatMap(name) ?? link.session
            return link
        }
    }

    /// - Throws: `not-found`.
    func revoke(_ id: String) throws(VTError) {
        let isFound = state.update { state in
            let count = state.entries.count
            state.entries.removeAll { $0.link.id == id && !$0.link.isExpired }
            return state.entries.count < count
        }
        guard !isFound else { return }
        throw VTError(.notFound, "no link '\(id)'", hint: "to see the links, use 'vt share --list'")
    }

    /// Waits until a link is revoked or has expired, and returns which.
    func end(of access: PageAccess) async throws(VTError) -> PageClosing {
        let (state, clock) = (state, clock)
        let late = VTError(.timedOut, "the link has expired")
        do throws(VTError) {
            let rest = access.expiresAt.map { $0.seconds - Timestamp.now().seconds } ?? Self.longestLifetime
            try await withTimeout(.seconds(max(0, rest)), on: clock, throwing: late) { () async throws(VTError) in
                try await state.wait { state in
                    state.entries.contains { $0.link.id == access.link } ? nil : ()
                }
            }
            return .revoked
        } catch {
            guard error.code == .timedOut else { throw error }
            return .unknownLink
        }
    }

    /// Runs `body` until it ends, or the link is revoked or expires.
    ///
    /// - Throws: `auth.denied` when the link ends; errors from `body`.
    func whileValid<Result: Sendable>(
        _ access: PageAccess,
        _ body: @escaping @Sendable () async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        try await withWatch(
            { () async throws(VTError) in
                _ = try await self.end(of: access)
                throw VTError(.authDenied, "the link is no longer valid")
            },
            body
        )
    }

    /// Compares all digests completely, so that the time does not depend on them.
    private static func index(of digest: [UInt8], in digests: [[UInt8]]) -> Int? {
        var found: Int?
        for (index, other) in digests.enumerated() where other.count == digest.count {
            let difference = zip(other, digest).reduce(0) { $0 | ($1.0 ^ $1.1) }
            if difference == 0 { found = index }
        }
        return found
    }
}

extension PageLink {
    fileprivate var isExpired: Bool { expiresAt.map { $0 <= .now() } ?? false }
}
