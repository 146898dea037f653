import Core
import Runtime
import Synchronization

/// A conversation with sh(1), which runs one command after another.
///
/// The commands are sent without waiting for earlier ones. Each reply ends with a line that contains a random word, so
/// that no output, such as the name of a file, can be mistaken for it.
final class ShellConversation: Conversation {
    /// How a command has ended.
    struct Reply: Sendable {
        var status: Int
        var output: ArraySlice<UInt8>
        /// What the command has printed on standard error.
        var message: String
    }

    typealias PendingReply = FirstResult<Result<Reply, VTError>>

    private struct State {
        /// The commands without a reply, in order.
        var pending: [PendingReply] = []
        var received: [UInt8] = []
        /// The number of received bytes that do not contain the start of a mark.
        var searched = 0
        /// The reason why the conversation has ended.
        var failure: VTError?
    }

    let name: String
    /// Precedes the status and the length of the message.
    private let mark: [UInt8]
    private let state = Mutex(State())
    // Descriptor 3 is the output of commands, because their descriptor 1 is captured with their errors.
    private let outbox = Outbox(Array("exec 3>&1; LC_ALL=C; export LC_ALL; cd 2>/dev/null\n".utf8))

    /// The maximum size of a reply, which is enough for a directory with several 100,000 files.
    private static let replyLimitBytes = 64 << 20

    init(name: String) {
        self.name = name
        mark = Array("\n=\(RandomIdentifier.make()) ".utf8)
    }

    // MARK: - Streams

    func read() async throws(VTError) -> [UInt8]? {
        try await outbox.read()
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        let (replies, failure) = state.withLock { state in receive(bytes, in: &state) }
        for (pending, reply) in replies { pending.provide(.success(reply)) }
        guard let failure else { return }
        end(failure)
        throw failure
    }

    func end(_ failure: VTError) {
        let pending = state.withLock { state in
            defer { state.pending = [] }
            state.failure = state.failure ?? failure
            return state.pending
        }
        outbox.end()
        for reply in pending { reply.provide(.failure(failure)) }
    }

    /// Returns the complete replies with the commands that they answer, and the violation that follows them, if any.
    private func receive(
        _ bytes: [UInt8],
        in state: inout State
    ) -> (replies: [(PendingReply, Reply)], failure: VTError?) {
        state.received += bytes
        var replies: [(PendingReply, Reply)] = []
        do throws(VTError) {
            while let (reply, end) = try reply(in: &state) {
                guard !state.pending.isEmpty else { throw violation }
                replies.append((state.pending.removeFirst(), reply))
                state.received.removeSubrange(..<end)
                state.searched = 0
            }
            guard state.received.count <= Self.replyLimitBytes else {
                throw VTError(
                    .protocolViolation,
                    "'\(name)' sent more than \(Self.replyLimitBytes >> 20) MiB for a command"
                )
            }
        } catch {
            return (replies, error)
        }
        return (replies, nil)
    }

    /// Returns the first complete reply, and the offset of its end.
    private func reply(in state: inout State) throws(VTError) -> (Reply, end: Int)? {
        let received = state.received
        guard let start = received[state.searched...].firstRange(of: mark) else {
            state.searched = max(state.searched, received.count - mark.count)
            return nil
        }
        state.searched = start.lowerBound
        let rest = received[start.upperBound...]
        guard let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let words = rest[..<lineEnd].split(separator: UInt8(ascii: " ")).map {
            Int(String(decoding: $0, as: UTF8.self))
        }
        guard words.count == 2, let status = words[0], let count = words[1], count >= 0 else { throw violation }
        guard received.count - (lineEnd + 1) >= count else { return nil }
        let message = received[(lineEnd + 1)...].prefix(count)
        let reply = Reply(
            status: status,
            output: received[..<start.lowerBound],
            message: String(decoding: message, as: UTF8.self)
        )
        return (reply, message.endIndex)
    }

    private var violation: VTError {
        VTError(.protocolViolation, "the shell of '\(name)' sent an unexpected reply")
    }

    // MARK: - Commands

    /// Runs a command, which has no input; its output is what it prints on standard output.
    ///
    /// - Throws: `cancelled`, although the command may still run; the error given to `end`.
    func run(_ command: ByteString) async throws(VTError) -> Reply {
        guard !Task.isCancelled else { throw .cancelled }
        let pending = PendingReply()
        let line =
            Array("e=$({ ".utf8) + command.bytes
            + Array("\n} 2>&1 >&3 3>&- </dev/null); printf '\\n\(markText)%s %s\\n%s' \"$?\" \"${#e}\" \"$e\"\n".utf8)
        let failure = state.withLock { state -> VTError? in
            guard state.failure == nil else { return state.failure }
            state.pending.append(pending)
            // In the order of the replies.
            outbox.append(line)
            return nil
        }
        if let failure { throw failure }
        return try await pending.value(orIfCanceled: .failure(.cancelled)).get()
    }

    private var markText: String {
        String(decoding: mark.dropFirst(), as: UTF8.self)
    }

    /// Computes the digest of standard input, whatever the name of the file is.
    private static let digest: ByteString =
        "if command -v sha256sum >/dev/null; then sha256sum; elif command -v shasum >/dev/null; then shasum -a 256; "
        + "else openssl dgst -sha256 -r; fi"

    /// Returns the SHA-256 digest of a file in hexadecimal; nil if there is no program for it, or the file cannot be
    /// read.
    ///
    /// - Throws: Errors of `run`.
    func sha256(of path: ByteString) async throws(VTError) -> String? {
        let reply = try await run("{ " + Self.digest + "; } <" + ShellFileSystem.word(path))
        let digest = reply.output.prefix { $0 != UInt8(ascii: " ") }
        return reply.status == 0 && digest.count == 64 ? String(decoding: digest, as: UTF8.self) : nil
    }
}
