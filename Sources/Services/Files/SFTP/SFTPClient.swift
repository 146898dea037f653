import Core
import Runtime
import Synchronization

/// The client side of a conversation with an SFTP server.
///
/// The client is a source of the bytes to send and a sink for the bytes received, so it works over any pair of streams.
/// Requests do not wait for one another: each has an ID, which its reply repeats. The caller limits the number of
/// requests in progress. libssh2's own client is not used, because it waits for the reply to most requests before it
/// sends the next one.
final class SFTPClient: ByteSource, ByteSink {
    typealias PendingReply = FirstResult<Result<SFTPReply, VTError>>

    /// A request that has not been answered.
    private struct Pending {
        let reply: PendingReply
        let request: Handles

        /// What the request does with handles.
        enum Handles {
            case opensFile
            case opensDirectory
            case closes(SFTPHandle)
            case none

            init(_ request: SFTPRequest) {
                self =
                    switch request {
                    case .open: .opensFile
                    case .openDirectory: .opensDirectory
                    case .close(let handle): .closes(handle)
                    default: .none
                    }
            }
        }
    }

    private struct State {
        var decoder = SFTPPacketDecoder()
        var nextID: UInt32 = 0
        var pending: [UInt32: Pending] = [:]
        var handles = SFTPHandleTable()
        /// The server's extensions; nil until its first packet arrives.
        var extensions: Set<String>?
        /// The reason that the conversation ended, if it has.
        var failure: VTError?
        var progress = Progress()
    }

    /// What a server has done so far; while it is the same as before, the server has done nothing.
    struct Progress: Hashable, Sendable {
        /// The number of requests that have been made, and of those that have been sent.
        fileprivate var requests: UInt64 = 0
        fileprivate var sendings: UInt64 = 0
        fileprivate var packets: UInt64 = 0
        /// The whole units of `unitBytes` received of an incomplete packet, so that single bytes do not count.
        fileprivate var units: UInt64 = 0
        fileprivate static let unitBytes = 4096
    }

    /// The name of the server in messages.
    let name: String

    private let state = Mutex(State())
    /// The packets that have not been sent.
    private let outbox = Outbox(SFTPRequest.initialization)
    let traits: SFTPServerTraits
    /// The number of handles that are open, or requested.
    private let handleCount = Monitor(0)

    /// The sessions of a connection have the same `traits`.
    init(name: String, traits: SFTPServerTraits = SFTPServerTraits()) {
        self.name = name
        self.traits = traits
    }

    // MARK: - Streams

    /// Returns the packets to send to the server; nil after `end`.
    func read() async throws(VTError) -> [UInt8]? {
        let bytes = try await outbox.read()
        state.withLock { $0.progress.sendings += 1 }
        return bytes
    }

    /// Receives bytes from the server.
    ///
    /// - Throws: `protocol` if they violate the protocol; all requests then fail with the same error.
    func write(_ bytes: [UInt8]) async throws(VTError) {
        let (replies, failure) = state.withLock { state in receive(bytes, in: &state) }
        for (pending, reply) in replies {
            if case .closes = pending.request { releaseHandle() }
            pending.reply.provide(.success(reply))
        }
        for directory in state.withLock({ $0.handles.confusedDirectories }) { close(directory) }
        guard let failure else { return }
        end(failure)
        throw failure
    }

    /// Ends the conversation: no further packets are sent, and all requests without a reply fail.
    func end(_ failure: VTError) {
        let pending = state.withLock { state in
            defer { state.pending = [:] }
            state.failure = state.failure ?? failure
            return Array(state.pending.values)
        }
        outbox.end()
        for request in pending { request.reply.provide(.failure(failure)) }
        // Those that wait to open a file fail when they send the request.
        handleCount.update { $0 = 0 }
    }

    /// Parses the complete packets; returns the replies with the requests that they answer, and the violation of the
    /// protocol that follows them, if there is one.
    private func receive(
        _ bytes: [UInt8],
        in state: inout State
    ) -> (replies: [(Pending, SFTPReply)], failure: VTError?) {
        var replies: [(Pending, SFTPReply)] = []
        state.decoder.append(bytes)
        do throws(VTError) {
            while let packet = try nextPacket(in: &state) {
                state.progress.packets += 1
                if let reply = try receive(packet, in: &state) { replies.append(reply) }
            }
        } catch {
            return (replies, error)
        }
        state.progress.units = UInt64(state.decoder.count / Progress.unitBytes)
        return (replies, nil)
    }

    /// Parses a packet; returns nil for the first one, which is not a reply.
    private func receive(
        _ packet: ArraySlice<UInt8>,
        in state: inout State
    ) throws(VTError) -> (Pending, SFTPReply)? {
        guard state.extensions != nil else {
            state.extensions = try extensions(in: packet)
            return nil
        }
        guard let (id, reply) = SFTPReply.parse(packet) else {
            throw VTError(.protocolViolation, "'\(name)' sent a malformed SFTP packet")
        }
        guard let pending = state.pending.removeValue(forKey: id) else {
            throw VTError(.protocolViolation, "'\(name)' sent an SFTP reply without a request")
        }
        // Here, in the order of the replies, because what is read next may already be that of another file.
        switch (pending.request, reply) {
        case (.closes(let handle), _): state.handles.remove(handle)
        case (.opensFile, .handle(let handle)), (.opensDirectory, .handle(let handle)):
            let isDirectory = if case .opensDirectory = pending.request { true } else { false }
            let added = state.handles.add(handle.bytes, isDirectory: isDirectory)
            if state.handles.isConfused(added) { traits.update { $0.reusesHandles = true } }
            return (pending, .handle(added))
        default: break
        }
        return (pending, reply)
    }

    /// Parses SSH_FXP_VERSION, and returns the names of the server's extensions (draft-ietf-secsh-filexfer-02 §4).
    ///
    /// - Throws: `protocol` if the packet is of another kind, or the server does not speak version 3.
    private func extensions(in packet: ArraySlice<UInt8>) throws(VTError) -> Set<String> {
        var reader = WireReader(packet)
        guard reader.byte() == 2, let version = reader.uint32() else {
            throw VTError(.protocolViolation, "'\(name)' did not start SFTP")
        }
        guard version == 3 else {
            throw VTError(.protocolViolation, "'\(name)' speaks SFTP version \(version), but vt requires version 3")
        }
        var names: Set<String> = []
        while !reader.isAtEnd {
            guard let extensionName = reader.text(), reader.string() != nil else { break }
            names.insert(extensionName)
        }
        return names
    }

    private func nextPacket(in state: inout State) throws(VTError) -> ArraySlice<UInt8>? {
        do throws(SFTPPacketDecoder.InvalidLength) {
            return try state.decoder.next()
        } catch {
            guard state.extensions == nil, let line = state.decoder.line else {
                throw VTError(.protocolViolation, "'\(name)' sent an SFTP packet of \(error.bytes) bytes")
            }
            throw VTError(
                .protocolViolation,
                "'\(name)' sent '\(line)' instead of starting SFTP",
                hint: "startup files of the login shell on the server must not print anything for commands"
            )
        }
    }

    // MARK: - Requests

    /// Whether the server has sent its first packet.
    var hasStarted: Bool {
        state.withLock { $0.extensions != nil }
    }

    /// What the server has done so far; nil if it need not do anything, because all requests have been answered.
    var progress: Progress? {
        state.withLock { $0.pending.isEmpty ? nil : $0.progress }
    }

    /// Whether the server has announced an extension; false until the server's first packet arrives.
    func supports(_ name: SFTPExtension) -> Bool {
        state.withLock { $0.extensions?.contains(name.rawValue) == true }
    }

    /// Sends a request and waits for its reply.
    ///
    /// - Throws: `cancelled`, although the server may still carry out the request; the error given to `end`.
    func perform(_ request: SFTPRequest) async throws(VTError) -> SFTPReply {
        guard !Task.isCancelled else { throw .cancelled }
        return try await reply(submit(request))
    }

    /// Sends a request; requests are sent, and usually carried out, in the order of the calls.
    func submit(_ request: SFTPRequest) -> PendingReply {
        let pending = PendingReply()
        let (id, failure) = state.withLock { state -> (UInt32, VTError?) in
            while state.pending[state.nextID] != nil { state.nextID &+= 1 }
            let id = state.nextID
            state.nextID &+= 1
            // The wait for the reply to the first request starts with it.
            if state.pending.isEmpty { state.progress.requests += 1 }
            if state.failure == nil { state.pending[id] = Pending(reply: pending, request: .init(request)) }
            return (id, state.failure)
        }
        if let failure {
            pending.provide(.failure(failure))
        } else {
            outbox.append(request.packet(id: id))
        }
        return pending
    }

    /// Waits for the reply to a request.
    func reply(_ pending: PendingReply) async throws(VTError) -> SFTPReply {
        try await pending.value(orIfCanceled: .failure(.cancelled)).get()
    }

    // MARK: - Handles

    /// Performs a request whose reply is a handle, which must be closed with `close`, and submits another request
    /// together with it.
    ///
    /// - Throws: `fallback` or `not-found` if the server refuses; `io` if the handle is that of another open file.
    func handle(
        _ request: SFTPRequest,
        before next: SFTPRequest? = nil,
        doing what: String,
        fallback: VTError.Code = .io
    ) async throws(VTError) -> (handle: SFTPHandle, next: PendingReply?) {
        try await reserveHandle()
        let reply: SFTPReply
        let following: PendingReply?
        do throws(VTError) {
            guard !Task.isCancelled else { throw .cancelled }
            let pending = submit(request)
            following = next.map(submit)
            reply = try await self.reply(pending)
        } catch {
            releaseHandle()
            throw error
        }
        guard case .handle(let handle) = reply else {
            releaseHandle()
            throw unexpected(reply, doing: what, fallback: fallback)
        }
        do throws(VTError) {
            try check(handle, doing: what)
        } catch {
            close(handle)
            throw error
        }
        return (handle, following)
    }

    /// Closes a handle, unless it has already been closed; the server frees it regardless of its reply.
    @discardableResult
    func close(_ handle: SFTPHandle) -> PendingReply? {
        guard state.withLock({ $0.handles.startClosing(handle) }) else { return nil }
        return submit(.close(handle))
    }

    /// - Throws: `io` if the server has used the handle for another file as well.
    func check(_ handle: SFTPHandle, doing what: String) throws(VTError) {
        guard isConfused(handle) else { return }
        throw VTError(.io, "\(what): '\(name)' uses the same handle for several open files")
    }

    /// Whether what is read from a handle, or written to it, can be that of another file.
    func isConfused(_ handle: SFTPHandle) -> Bool {
        state.withLock { $0.handles.isConfused(handle) }
    }

    /// Waits until a file may be opened.
    private func reserveHandle() async throws(VTError) {
        let traits = traits
        try await handleCount.wait { count -> Void? in
            guard count == 0 || !traits.current.reusesHandles else { return nil }
            count += 1
            return ()
        }
    }

    private func releaseHandle() {
        handleCount.update { $0 -= 1 }
    }
}
