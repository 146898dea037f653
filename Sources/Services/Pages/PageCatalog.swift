import Core
import System
import Synchronization

/// The sessions that a server serves, as of the last refresh.
final class PageCatalog: Sendable {
    private struct State {
        var entries: [PageEntry] = []
        var version: UInt64 = 0
        /// When each server is to be asked again.
        var nextRefresh: [String?: ContinuousClock.Instant] = [:]
    }

    /// What to serve; empty for all sessions of this machine.
    private let items: [PageItem]
    private let references: [SessionReference]
    private let watched: WatchedSessions
    private let diagnostics: any Diagnostics
    private let state = Mutex(State())

    static let interval = Duration.seconds(1)
    /// The number of names in a hint.
    private static let hintLimit = 8
    /// How often servers are asked.
    private static let remoteInterval = Duration.seconds(5)

    init(_ items: [PageItem], _ watched: WatchedSessions, _ diagnostics: any Diagnostics) {
        (self.items, self.watched, self.diagnostics) = (items, watched, diagnostics)
        references = items.compactMap { if case .session(let reference) = $0 { reference } else { nil } }
    }

    /// Finds everything that is to be served for the first time.
    ///
    /// - Throws: `not-found` for a session or recording that does not exist; `data.invalid`.
    func load() async throws(VTError) {
        let names = recordingNames
        let recordings = try await onOwnThread { [diagnostics] () throws(VTError) in
            try names.map { path, name throws(VTError) in try PageEntry(recording: path, named: name, diagnostics) }
        }
        state.withLock { $0.entries = recordings }
        try await refresh(isForced: true)
        for reference in references where !isFound(reference) {
            throw VTError(.notFound, "no session '\(reference.text)'")
        }
    }

    /// The paths of the recordings, each once, and their names for pages: the last component, unless it is ambiguous.
    private var recordingNames: [(path: String, name: String)] {
        var paths: [String] = []
        for case .recording(let path) in items where !paths.contains(path) { paths.append(path) }
        let names = paths.map { path in path.split(separator: "/").last.map(String.init) ?? path }
        return zip(paths, names).map { path, name in
            (path, names.filter { $0 == name }.count == 1 ? name : path)
        }
    }

    private func isFound(_ reference: SessionReference) -> Bool {
        let entries = state.withLock(\.entries)
        return entries.contains { entry in
            if entry.reference == reference.text { return true }
            guard case .session(reference.profile, let id) = entry.subject else { return false }
            return id.text == reference.session
        }
    }

    /// Asks the machines for their sessions; servers are asked less often, unless `isForced`.
    ///
    /// - Throws: The error of a machine that could not be asked, whose entries are kept.
    func refresh(isForced: Bool = false) async throws(VTError) {
        var failure: VTError?
        for profile in machines where isForced || isDue(profile) {
            do throws(VTError) {
                try await refresh(profile)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func refresh(_ profile: String?) async throws(VTError) {
        state.withLock { $0.nextRefresh[profile] = .now + (profile == nil ? .zero : Self.remoteInterval) }
        let sessions = try await watched.client(of: profile).call(ListRequest())
        let selected = sessions.filter { isServed($0, on: profile) }.map { PageEntry($0, on: profile) }
        state.withLock { state in
            let others = state.entries.filter { !$0.isOn(profile) }
            guard state.entries != others + selected else { return }
            state.entries = others + selected
            state.version += 1
        }
    }

    /// The entry with a reference or an ID, if the page can use it; nil stands for the owner of the server.
    ///
    /// - Throws: `not-found`.
    func entry(_ name: String, for access: PageAccess?) throws(VTError) -> PageEntry {
        let entries = state.withLock(\.entries).filter { entry in access.map(entry.isAllowed) ?? true }
        if let found = entries.first(where: { $0.reference == name }) ?? entries.first(where: { $0.id == name }) {
            return found
        }
        let known = entries.prefix(Self.hintLimit).map { "'\($0.reference)'" }.joined(separator: ", ")
        throw VTError(
            .notFound,
            "no session '\(name)' is served",
            hint: access == nil && !known.isEmpty
                ? "served are \(known)\(entries.count > Self.hintLimit ? ", ..." : "")" : nil
        )
    }

    /// The current name of a session or recording; nil if it is gone.
    func reference(of subject: PageSubject) -> String? {
        state.withLock(\.entries).first { $0.subject == subject }?.reference
    }

    /// The session with this reference, name or ID, if the client can use it.
    ///
    /// - Throws: `not-found`.
    func session(named name: String, for access: PageAccess) throws(VTError) -> (profile: String?, id: SessionID) {
        let entries = state.withLock(\.entries).filter { $0.isAllowed(by: access) }
        let found = entries.first { $0.reference == name } ?? entries.first { $0.isNamed(name) }
        guard case .session(let profile, let id) = found?.subject else {
            throw VTError(.notFound, "no session '\(name)'")
        }
        return (profile, id)
    }

    /// Runs `body` with what `find` returns, and again after a refresh if that is unknown or gone.
    ///
    /// - Throws: Errors from `find` and `body`.
    func withCurrent<Found, Result>(
        _ find: () throws(VTError) -> Found,
        _ body: (Found) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        do throws(VTError) {
            return try await body(try find())
        } catch {
            // Another session may have got the name in the meantime.
            guard error.code == .notFound else { throw error }
        }
        try await refresh(isForced: true)
        return try await body(try find())
    }

    func serves(_ session: Session, on profile: String?, to access: PageAccess) -> Bool {
        let subject = PageSubject.session(profile: profile, session.id)
        return isServed(session, on: profile) && access.subject.map { $0 == subject } ?? true
    }

    /// The list for a page, with its version.
    func list(for access: PageAccess) -> (version: UInt64, json: [UInt8]) {
        let (entries, version) = state.withLock { ($0.entries, $0.version) }
        let document = JSONWriter.array { writer in
            for entry in entries where entry.isAllowed(by: access) { writer.json(entry.json) }
        }
        return (version, document)
    }

    var version: UInt64 { state.withLock(\.version) }

    private func isDue(_ profile: String?) -> Bool {
        state.withLock { $0.nextRefresh[profile].map { $0 <= .now } ?? true }
    }

    /// The profiles of the servers whose sessions are served; nil is this machine.
    var machines: Set<String?> { servesAll ? [nil] : Set(references.map(\.profile)) }

    /// Whether all sessions of this machine are served, and nothing else.
    var servesAll: Bool { items.isEmpty }

    private func isServed(_ session: Session, on profile: String?) -> Bool {
        items.isEmpty
            || references.contains {
                $0.profile == profile && ($0.session == session.name || $0.session == session.id.text)
            }
    }
}

extension PageEntry {
    fileprivate func isOn(_ profile: String?) -> Bool {
        if case .session(profile, _) = subject { true } else { false }
    }

    /// Whether this is the name that the session has on its machine, or its ID.
    fileprivate func isNamed(_ name: String) -> Bool {
        guard case .session(let profile, let id) = subject else { return false }
        return id.text == name || reference == SessionReference(profile: profile, session: name).text
    }
}
