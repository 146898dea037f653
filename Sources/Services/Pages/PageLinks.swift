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
    }

    private struct State {
        var entries: [Entry] = []
        var count = 0
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

    /// Returns what a page with this token or key may do; nil if the link is unknown or has expired.
    ///
    /// A link that can be used once gets another digest, that of the page's key.
    ///
    /// - Throws: `exists` for the token of such a link that another page has used; `auth.denied` unless the client is a page.
    func open(_ token: [UInt8], isPage: Bool) throws(VTError) -> PageAccess? {
        let digest = Digests.sha256(token)
        return try state.update { state -> Result<PageAccess?, VTError> in
            guard let index = Self.index(of: digest, in: state.entries.map(\.digest)),
                !state.entries[index].link.isExpired
            else {
                let isUsed = Self.index(of: digest, in: state.entries.map { $0.usedDigest ?? [] }) != nil
                return isUsed ? .failure(VTError(.exists, "another page has used the link")) : .success(nil)
            }
            var entry = state.entries[index]
            guard isPage || !entry.link.isOnce else {
                return .failure(VTError(.authDenied, "the link can be used once, by a page"))
            }
            var access = PageAccess(entry.link, entry.subject)
            if entry.link.isOnce, !entry.link.isUsed {
                let key = RandomIdentifier.make()
                access.key = key
                entry.usedDigest = entry.digest
                entry.digest = Digests.sha256(Array(key.utf8))
            }
            entry.link.isUsed = true
            entry.link.pages += 1
            state.entries[index] = entry
            return .success(access)
        }.get()
    }

    /// Returns what a token or key allows, without opening its link; nil if the link is unknown, has expired, or can be
    /// used once and has not been opened.
    func access(with token: [UInt8]) -> PageAccess? {
        let digest = Digests.sha256(token)
        return state.withLock { state in
            guard let index = Self.index(of: digest, in: state.entries.map(\.digest)) else { return nil }
            let entry = state.entries[index]
            return entry.link.isExpired || entry.link.isOnce && !entry.link.isUsed
                ? nil : PageAccess(entry.link, entry.subject)
        }
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
