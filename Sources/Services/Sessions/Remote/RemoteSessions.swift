import Core
import Runtime
import Synchronization

/// The sessions of a server, accessed through the command line of the vt installed there.
package final class RemoteSessions: SessionSite {
    /// The server's name in messages.
    let name: String
    let remote: RemoteVT
    let clock: any Clock<Duration>
    let diagnostics: any Diagnostics
    private let plan: ConnectionPlan
    /// The profile, whose settings apply to programs; nil for a server without a profile.
    private let profile: Profile?
    private let cache: any SessionNameCache
    private let connection = Mutex<(any RemoteHost)?>(nil)
    private let connecting = AsyncLock()

    /// The minimum speed at which input must be sent; on a slower connection, the request times out.
    private static let slowestBytesPerSecond = 16 << 10

    package init(
        plan: ConnectionPlan,
        profile: Profile?,
        remote: RemoteVT,
        cache: any SessionNameCache,
        clock: any Clock<Duration>,
        diagnostics: any Diagnostics
    ) {
        name = plan.name
        self.plan = plan
        self.profile = profile
        self.remote = remote
        self.cache = cache
        self.clock = clock
        self.diagnostics = diagnostics
    }

    package func create(_ creation: SessionCreation) async throws(VTError) -> (session: Session, isNew: Bool) {
        let call = CreateWords(creation, profile: profile)
        do throws(VTError) {
            let document = try await document(call.words, input: call.input)
            return (try document.session(), document.bool("is_new") ?? true)
        } catch {
            guard error.code == .usage, !call.input.isEmpty || creation.keepFor != nil else { throw error }
            // A vt without `--env-stdin` must not get the variables any other way, because that would expose them.
            let feature = creation.keepFor == nil ? "variables" : creation.keepFor == .zero ? "--rm" : "--keep-for"
            var error = error
            error.hint = "install a vt that supports \(feature): vt install \(self.name) --force"
            throw error
        }
    }

    package func sessions(_ filter: SessionFilter) async throws(VTError) -> [Session] {
        var words: [ByteString] = ["sessions", "list", "--json"]
        if let state = filter.state { words += ["--state", ByteString(state.rawValue)] }
        for tag in filter.tags { words += ["--tag", ByteString(tag)] }
        let sessions = try await document(words).elements().map { element throws(VTError) in try element.session() }
        if filter == SessionFilter() { remember(sessions) }
        return sessions
    }

    /// Caches the valid names of sessions, if the server has a profile and its user has not been overridden.
    private func remember(_ sessions: [Session]) {
        guard let profile, profile.name == name else { return }
        cache.remember(sessions.compactMap { (try? SessionName($0.name))?.text }, of: profile.name)
    }

    package func session(_ name: String) async throws(VTError) -> Session {
        try await document(["sessions", "show", "--json", "--", ByteString(name)]).session()
    }

    package func send(_ input: SessionInput, to name: String, timeout: Duration?) async throws(VTError) -> UInt64 {
        // The remote vt gets the number of bytes, so that it sends nothing if the input is cut off by a lost
        // connection.
        var words: [ByteString] = [
            "sessions", "send", "--json", "--stdin-bytes", ByteString(String(input.bytes.count)),
        ]
        if let timeout { words.append(ByteString("--timeout=\(timeout.shortText)")) }
        return try await document(words + ["--", ByteString(name)], input: input.bytes).unsigned("offset")
    }

    package func resize(_ name: String, to size: TerminalSize) async throws(VTError) {
        let text = ByteString("\(size.columns)x\(size.rows)")
        _ = try await answer(["sessions", "resize", "--json", "--", ByteString(name), text])
    }

    package func rename(_ name: String, to newName: SessionName) async throws(VTError) {
        _ = try await answer(["sessions", "rename", "--json", "--", ByteString(name), ByteString(newName.text)])
    }

    package func kill(_ name: String, signal: SignalName?, grace: Duration) async throws(VTError) -> [String] {
        var words: [ByteString] = ["sessions", "kill", "--json", "--grace", ByteString(grace.shortText)]
        if let signal { words += ["--signal", ByteString(signal.text)] }
        return try await document(words + ["--", ByteString(name)], work: grace).elements()
            .flatMap { $0.strings("survivors") }
    }

    package func cleanUp(
        _ names: [String],
        _ filter: SessionFilter,
        isDryRun: Bool
    ) async throws(VTError) -> [Session] {
        var words: [ByteString] = ["sessions", "cleanup", "--json"]
        if isDryRun { words.append("--dry-run") }
        if names.isEmpty, filter == SessionFilter() { words.append("--all") }
        if let state = filter.state { words += ["--state", ByteString(state.rawValue)] }
        if let endedFor = filter.endedFor { words += ["--older-than", ByteString(endedFor.shortText)] }
        for tag in filter.tags { words += ["--tag", ByteString(tag)] }
        return try await document(words + ["--"] + names.map { ByteString($0) }).elements()
            .map { element throws(VTError) in try element.session() }
    }

    package func close() async {
        let host = connection.withLock { host in
            defer { host = nil }
            return host
        }
        await host?.close()
        await remote.close()
    }

    // MARK: - Connection

    /// The shared connection, established on first use.
    func connected() async throws(VTError) -> any RemoteHost {
        try await connecting.withLock { () async throws(VTError) in
            if let host = connection.withLock({ $0 }) { return host }
            let host = try await remote.connect(plan)
            connection.withLock { $0 = host }
            return host
        }
    }

    /// Discards a connection that was lost.
    func disconnect() async {
        let host = connection.withLock { host in
            defer { host = nil }
            return host
        }
        await host?.close()
    }

    /// Runs the remote vt, which must respond within `RemoteVT.timeout`, plus `work` for operations that take time,
    /// plus the time to send `input`.
    func answer(
        _ words: [ByteString],
        input: [UInt8] = [],
        work: Duration = .zero
    ) async throws(VTError) -> [UInt8] {
        let host = try await connected()
        let limit = RemoteVT.timeout + work + .seconds(input.count / Self.slowestBytesPerSecond)
        let (remote, name) = (remote, name)
        return try await withTimeout(limit, on: clock, throwing: RemoteVT.silence(of: name, after: limit)) {
            () async throws(VTError) in
            try await remote.answer(to: words, on: host, named: name, input: BytesSource(input)).output
        }
    }

    /// Runs the remote vt, which writes at its own pace; with `isPrompt`, it must not be silent for as long as
    /// `RemoteVT.timeout`.
    ///
    /// - Throws: `protocol` when it is silent for that long; errors from `RemoteVT.run`.
    func run(
        _ words: [ByteString],
        on host: any RemoteHost,
        to sink: any ByteSink,
        isPrompt: Bool
    ) async throws(VTError) -> ExitStatus {
        let (remote, name, clock) = (remote, name, clock)
        let output = WatchedSink(sink)
        let result = await withTaskGroup(of: Result<ExitStatus, VTError>.self) { group in
            group.addTask {
                do throws(VTError) {
                    return .success(
                        try await remote.run(words, on: host, named: name, input: OpenSource(), output: output)
                    )
                } catch {
                    return .failure(error)
                }
            }
            if isPrompt {
                group.addTask {
                    do throws(VTError) {
                        try await output.silence(of: RemoteVT.timeout, on: clock)
                        return .failure(RemoteVT.silence(of: name, after: RemoteVT.timeout))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            let first = await group.next() ?? .failure(.cancelled)
            group.cancelAll()
            return first
        }
        return try result.get()
    }

    private func document(
        _ words: [ByteString],
        input: [UInt8] = [],
        work: Duration = .zero
    ) async throws(VTError) -> RemoteDocument {
        try RemoteDocument(try await answer(words, input: input, work: work), from: name)
    }
}
