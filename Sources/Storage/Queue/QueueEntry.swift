import Core

/// Input for a session, or a line for its shell, that waits until it can be delivered.
package struct QueueEntry: Hashable, Sendable {
    package enum Kind: String, CaseIterable, JSONReadable, Sendable {
        /// Bytes for the terminal.
        case input
        /// A line for the shell.
        case exec
    }

    package enum State: String, CaseIterable, JSONReadable, Sendable {
        case waiting
        /// The delivery has begun, and its result is not known here yet.
        case sending
        /// The terminal has accepted the input, or the command has ended.
        case delivered
        /// The last attempt had no effect.
        case failed
        /// It will never be known whether the entry had an effect, because the session is gone.
        case unknown
        /// It was not delivered in time.
        case expired
    }

    /// `SessionFrame.tokenBytes` characters, by which the holder of the session recognizes the entry.
    package var id = String(RandomIdentifier.make().prefix(SessionFrame.tokenBytes))
    /// The session as given: `[PROFILE:]SESSION`.
    package var session = ""
    package var kind = Kind.input
    package var state = State.waiting
    /// The bytes of the entry; exactly one of them is present.
    package private(set) var text: String?
    package private(set) var base64: String?
    package var createdAt = Timestamp.now()
    /// When the entry expires unless its delivery has begun.
    package var expiresAt = Timestamp.now()
    /// The ID of the session to which the delivery has begun.
    package var sessionID: String?
    /// Why the last attempt failed, or why the result is not known.
    package var failure: String?
    /// The status of the command of a line that has ended; 128+n if signal n terminated the shell.
    package var status: UInt32?
    /// The text that the command printed, at most `outputLimitBytes`.
    package var output: String?
    /// The number of bytes of text that were omitted.
    package var omittedBytes: UInt64?

    /// The maximum size of the bytes of an entry, which is delivered in one piece.
    package static let limitBytes = 64 << 10
    /// The maximum size of the output that is kept.
    package static let outputLimitBytes = 64 << 10

    package init() {}

    /// Creates an entry that waits; `lifetime` is the time until it expires.
    package init(_ bytes: [UInt8], _ kind: Kind, for session: String, lifetime: Duration, now: Timestamp = .now()) {
        self.session = session
        self.kind = kind
        createdAt = now
        expiresAt = Timestamp(seconds: now.seconds + lifetime.components.seconds)
        text = String(validating: bytes, as: UTF8.self)
        if text == nil { base64 = Base64.encode(bytes) }
    }

    package var bytes: [UInt8] {
        text.map { Array($0.utf8) } ?? base64.flatMap { Base64.decode($0.utf8) } ?? []
    }

    /// Whether the entry holds back those after it.
    package var isPending: Bool { state != .delivered && state != .expired }

    /// The entry with this state, and the reason for it.
    package func with(_ state: State, _ failure: String? = nil) -> QueueEntry {
        var entry = self
        (entry.state, entry.failure) = (state, failure)
        return entry
    }
}

extension QueueEntry: JSONRecord {
    package static let documentName = "queue entry"
    package static let documentSummary = "input that waits for a session"

    package static let fields: JSONTable<Self> = [
        .stored("id", \.id, "ID of the entry"),
        .stored("session", \.session, "session as specified"),
        .stored("kind", \.kind, "`input`: bytes for the terminal; `exec`: a line for the shell"),
        .stored("state", \.state, "state of the delivery"),
        .stored("text", \.text, "text of the entry, if it is valid UTF-8"),
        .stored("base64", \.base64, "bytes of the entry that are not valid UTF-8, in Base64"),
        .stored("created_at", \.createdAt, "time at which the entry was added", in: .time),
        .stored("expires_at", \.expiresAt, "time at which the entry expires, unless its delivery has begun", in: .time),
        .stored("session_id", \.sessionID, "ID of the session to which the delivery has begun"),
        .stored("failure", \.failure, "why the last attempt failed, or why the result is unknown"),
        .stored("status", \.status, "exit status of the command of a delivered line"),
        .stored("output", \.output, "text that the command printed, at most 64 KiB"),
        .stored("omitted", \.omittedBytes, "size of the text that is not in `output`", in: .bytes),
    ]
}
