/// A question to the person at a session, which `vt sessions ask` has asked.
package struct Question: Hashable, Sendable {
    /// How a question was closed.
    package enum Answer: String, CaseIterable, JSONReadable, Sendable {
        case done
        case refused
        case timedOut = "timed-out"
        /// The command that asked has ended, or the session has been paused.
        case withdrawn
    }

    package var message = ""
    package var askedAt = Timestamp(seconds: 0)
    package var answer: Answer?

    /// The maximum length of a message, in Unicode scalar values, so that its size is limited as well.
    private static let limit = 200

    package init() {}

    /// - Throws: `usage` when the message is empty or too long.
    package init(asking message: String) throws(VTError) {
        guard !message.allSatisfy(\.isWhitespace) else { throw VTError(.usage, "the message is empty") }
        guard message.unicodeScalars.count <= Self.limit else {
            throw VTError(.usage, "the message is longer than \(Self.limit) characters")
        }
        (self.message, askedAt) = (message, .now())
    }

    /// The error for the command that asked in the session with this name; nil if the answer is `done`.
    package func failure(in name: String) -> VTError? {
        switch answer {
        case .done: nil
        case .refused: VTError(.negative, "the question in '\(name)' was refused")
        case .timedOut: VTError(.timedOut, "the question in '\(name)' was not answered in time")
        case .withdrawn, nil: VTError(.negative, "the question in '\(name)' was withdrawn")
        }
    }
}

extension Question: JSONRecord {
    package static let documentName = "question"
    package static let documentSummary = "a question to the person at a session"

    package static let fields: JSONTable<Self> = [
        .stored("message", \.message, "what the person is asked to do"),
        .stored("asked_at", \.askedAt, "time at which it was asked", in: .time),
        .stored("answer", \.answer, "how it was closed; the end of the session also closes it"),
    ]
}

/// What a client requests about the question of a session.
package struct QuestionRequest: Hashable, Sendable {
    package enum Action: String, CaseIterable, JSONReadable, WireValue {
        /// Asks, and waits for the answer; the end of the connection withdraws the question.
        case ask
        /// Asks without waiting.
        case detach
        /// Waits for the answer to the last question.
        case wait
        case done
        case refuse
    }

    package var action: Action
    /// The question; for an answer, the question that it is for, or empty for the one that is open.
    package var message: String
    package var timeout: Duration?

    package init(_ action: Action = .ask, _ message: String = "", timeout: Duration? = nil) {
        (self.action, self.message, self.timeout) = (action, message, timeout)
    }
}

extension QuestionRequest: WireValue {
    package static func code(_ value: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        let (action, message) = (try wire.code(value?.action), try wire.code(value?.message))
        return Self(action, message, timeout: try wire.optional(value?.timeout))
    }
}
