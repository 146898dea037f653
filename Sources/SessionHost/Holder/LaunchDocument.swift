import Core
import System

/// All data that a holder needs to start a session.
///
/// It is passed through a socket because the environment may contain secrets, and other users can read command lines.
struct LaunchDocument: Equatable {
    /// The directory of all sessions.
    var sessions: String
    var record: Session
    var command: [ByteString]
    /// `NAME=VALUE` words.
    var environment: [ByteString]
    var directory: ByteString
    /// The program's umask.
    var creationMask: UInt32
    /// The path of the SSH agent's socket, to which a link in the session's directory points; nil if there is none.
    var agentSocket: String?
    /// Whether an interactive shell is started with a hook.
    var integratesShell: Bool
    /// The program's resource limits; if they are unknown, those of this process.
    var limits = ProcessLimits.unknown

    /// The encoded document, preceded by its length.
    var encoded: [UInt8] {
        var body: [UInt8] = []
        body.appendString(sessions.utf8)
        body.appendString(record.json)
        body.appendString(directory.bytes)
        body.appendUInt32(creationMask)
        body.appendString((agentSocket ?? "").utf8)
        body.appendBool(integratesShell)
        for words in [command, environment] {
            body.appendUInt32(UInt32(words.count))
            for word in words { body.appendString(word.bytes) }
        }
        for value in limits.values { body.appendBigEndian(value) }
        var bytes: [UInt8] = []
        bytes.appendUInt32(UInt32(body.count))
        return bytes + body
    }
}

extension LaunchDocument {
    /// The maximum length of a document; by default, arguments and environment are limited to 2 MiB together
    /// (execve(2)).
    static let limitBytes = 64 << 20

    /// Parses a document that is preceded by its length.
    ///
    /// - Throws: `protocol` when it is malformed.
    init(decoding bytes: [UInt8]) throws(VTError) {
        var reader = WireReader(bytes.dropFirst(4))
        guard let sessions = reader.text(), let json = reader.string(), let directory = reader.string(),
            let creationMask = reader.uint32(), let agentSocket = reader.text(),
            let integratesShell = reader.bool(), let command = Self.words(&reader),
            let environment = Self.words(&reader), case let limits = Self.limits(&reader), reader.isAtEnd
        else {
            throw VTError(.protocolViolation, "the holder received an invalid request")
        }
        self.init(
            sessions: sessions,
            record: try Session(json: Array(json), source: "the record of the session to start"),
            command: command,
            environment: environment,
            directory: ByteString(directory),
            creationMask: creationMask,
            agentSocket: agentSocket.isEmpty ? nil : agentSocket,
            integratesShell: integratesShell,
            limits: limits
        )
    }

    private static func limits(_ reader: inout WireReader) -> ProcessLimits {
        var values: [UInt64] = []
        while let value = reader.uint64() { values.append(value) }
        return ProcessLimits(values: values)
    }

    private static func words(_ reader: inout WireReader) -> [ByteString]? {
        guard let count = reader.uint32() else { return nil }
        var words: [ByteString] = []
        for _ in 0..<count {
            guard let word = reader.string() else { return nil }
            words.append(ByteString(Array(word)))
        }
        return words
    }
}
