import Core
import Glibc
import System

/// A client for SSH agents (RFC 9987) on a Unix socket.
///
/// libssh2's own agent functions block; here, each request runs on a dedicated thread, so an agent that prompts its
/// user delays only one connection.
struct AgentClient: Sendable {
    /// A key held by the agent.
    struct Key: Hashable, Sendable {
        /// The public key in wire format.
        var blob: [UInt8]
        var comment: String

        /// The key type given in the blob.
        var type: String? { HostKey(blob: blob)?.type }

        /// Whether vt can authenticate with keys of this type, or with certificates for them; FIDO keys require a libssh2
        /// newer than 1.10.
        var isUsable: Bool { type.map { Self.usableTypes.contains(UserCertificate.plainType(of: $0) ?? $0) } ?? false }

        private static let usableTypes: Set<String> = [
            "ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa",
        ]
    }

    let path: String
    /// How long an agent may take to accept a connection, to read a request, to send a reply that needs no user
    /// confirmation, and to complete any reply once it has started.
    var timeout = Duration.seconds(5)

    /// The maximum length of a reply, as in OpenSSH's client (authfd.c).
    private static let answerLimitBytes: UInt32 = 256 * 1024
    private static let failure: UInt8 = 5
    private static let identitiesAnswer: UInt8 = 12
    private static let signResponse: UInt8 = 14

    /// Lists the agent's keys, in the agent's order.
    ///
    /// - Throws: `auth.denied` when no agent is listening on the socket, or its reply is late or malformed.
    func keys() async throws(VTError) -> [Key] {
        // 11 is SSH_AGENTC_REQUEST_IDENTITIES.
        let answer = try await exchange([11], asksUser: false)
        var reader = WireReader(answer[...])
        guard reader.byte() == Self.identitiesAnswer, let count = reader.uint32() else { throw refusal() }
        var keys: [Key] = []
        for _ in 0..<min(count, 1000) {
            guard let blob = reader.string(), let comment = reader.string() else { throw refusal() }
            keys.append(Key(blob: Array(blob), comment: String(decoding: comment, as: UTF8.self)))
        }
        return keys
    }

    /// Signs data; returns the raw signature, without the name of its algorithm.
    ///
    /// With `proof`, the agent learns which server the signature is for, so that it can use keys that are constrained to
    /// some destinations (ssh-add(1), `-h`).
    ///
    /// - Throws: `auth.denied` when the agent refuses to sign, or uses an algorithm other than the requested one.
    func sign(
        _ data: [UInt8],
        with key: Key,
        algorithm: String,
        for proof: HostKeyProof? = nil
    ) async throws(VTError) -> [UInt8] {
        // 13 is SSH_AGENTC_SIGN_REQUEST.
        var request: [UInt8] = [13]
        request.appendString(key.blob)
        request.appendString(data)
        // SSH_AGENT_RSA_SHA2_256 (RFC 9987); without this flag, an agent signs with SHA-1.
        request.appendUInt32(algorithm == "rsa-sha2-256" ? 2 : 0)
        let binding = proof?.binding(forSigning: data)
        let answer = try await exchange(request, after: binding, asksUser: true)
        var reader = WireReader(answer[...])
        let kind = reader.byte()
        guard kind != Self.failure else {
            throw VTError(
                .authDenied,
                "the SSH agent refused to sign with key '\(key.comment)'",
                hint: "test the key: ssh-add -T FILE.pub; unlock a locked agent: ssh-add -X; "
                    + "a key added with ssh-add -h is only for the destinations given there"
            )
        }
        guard kind == Self.signResponse, let wrapped = reader.string() else { throw refusal() }
        var signature = WireReader(wrapped)
        guard let name = signature.text(), let bytes = signature.string() else { throw refusal() }
        guard name == algorithm else {
            throw VTError(
                .authDenied,
                "the SSH agent signed with '\(name)' instead of '\(algorithm)' for key '\(key.comment)'",
                hint: "use another agent, such as OpenSSH's ssh-agent(1)"
            )
        }
        return Array(bytes)
    }

    /// The error for an agent that lists no keys, because it is empty or locked.
    var noKeysError: VTError {
        VTError(
            .authDenied,
            "the SSH agent at '\(path)' has no keys: it is empty or locked",
            hint: "to add a key: ssh-add FILE; to unlock the agent: ssh-add -X"
        )
    }

    /// The error for a key that cannot be used.
    func unusable(_ key: Key) -> VTError {
        VTError(
            .authDenied,
            "key '\(key.comment)' in the SSH agent has type '\(key.type ?? "unknown")', which vt does not support",
            hint: "add a key of another type: ssh-keygen -t ed25519 && ssh-add"
        )
    }

    private func refusal() -> VTError {
        VTError(.authDenied, "invalid response from the SSH agent at '\(path)'")
    }

    /// Sends a request and returns the reply; canceling the task aborts the request.
    ///
    /// `first` is a request to send before, whose reply has no effect: agents may not support it.
    private func exchange(
        _ request: [UInt8],
        after first: [UInt8]? = nil,
        asksUser: Bool
    ) async throws(VTError) -> [UInt8] {
        let client = self
        let socket = try await onOwnThread { () throws(VTError) in
            SharedDescriptor(try client.connect())
        }
        let result: Result<[UInt8], VTError> = await withTaskCancellationHandler {
            do throws(VTError) {
                let answer = try await onOwnThread { () throws(VTError) in
                    if let first { _ = try client.exchange(first, on: socket.number, asksUser: false) }
                    return try client.exchange(request, on: socket.number, asksUser: asksUser)
                }
                return .success(answer)
            } catch {
                return .failure(error)
            }
        } onCancel: {
            shutdown(socket.number, CInt(SHUT_RDWR))
        }
        return try result.get()
    }

    private func exchange(
        _ request: [UInt8],
        on socket: CInt,
        asksUser: Bool
    ) throws(VTError) -> [UInt8] {
        var deadline = ContinuousClock.now + timeout
        var message: [UInt8] = []
        message.appendString(request)
        try send(message, on: socket, until: deadline)
        var answer: [UInt8] = []
        var length: UInt32?
        while length.map({ answer.count < 4 + Int($0) }) ?? true {
            if asksUser, answer.isEmpty {
                // An agent can prompt its user before it starts a reply, but not in the middle of one.
                BlockingIO.wait(socket, for: POLLIN)
                deadline = .now + timeout
            }
            guard BlockingIO.wait(socket, for: POLLIN, until: deadline) else { throw silence }
            let bytes = try BlockingIO.read(socket, limit: 16_384)
            guard !bytes.isEmpty else { throw refusal() }
            answer += bytes
            var reader = WireReader(answer[...])
            length = reader.uint32()
            if let length, length > Self.answerLimitBytes { throw refusal() }
        }
        return Array(answer.dropFirst(4))
    }

    /// Sends all bytes; the corresponding C function is `send`.
    private func send(
        _ message: [UInt8],
        on socket: CInt,
        until deadline: ContinuousClock.Instant
    ) throws(VTError) {
        let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
        var rest = message[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.send(socket, bytes.baseAddress, bytes.count, flags)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                guard BlockingIO.wait(socket, for: POLLOUT, until: deadline) else { throw silence }
            } else if errno != EINTR {
                throw .system(errno, "cannot write to the SSH agent at '\(path)'")
            }
        }
    }

    private var silence: VTError {
        VTError(.authDenied, "the SSH agent at '\(path)' does not respond")
    }

    private func connect() throws(VTError) -> FileDescriptor {
        let socket = try UnixSocket.make()
        let failure = try UnixSocket.connect(socket, to: path, timeout: timeout)
        guard failure == 0 else {
            throw VTError(
                .authDenied,
                "cannot reach the SSH agent at '\(path)': \(systemErrorText(failure))",
                hint: "start one with ssh-agent(1), or unset SSH_AUTH_SOCK"
            )
        }
        return socket
    }
}
