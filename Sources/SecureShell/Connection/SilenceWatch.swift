import NIOCore

/// Decides when to send a request to an idle peer, and when the connection counts as lost.
///
/// The caller determines what counts as a reply: on a connection, any complete packet. A tick counts as unanswered only
/// if there has been no reply since a request, however late the tick occurs.
struct SilenceWatch {
    /// The action at a tick.
    enum Step: Equatable {
        case wait(TimeAmount)
        /// Send a request, and tick again after `interval`.
        case ask
        /// Give up: there has been no reply for this long, despite requests.
        case giveUp(TimeAmount)
    }

    let interval: TimeAmount
    private let count: Int
    /// The time of the oldest unanswered request.
    private var firstRequest: NIODeadline?
    /// The number of intervals for which that request has been unanswered, including the first.
    private var unanswered = 0

    /// `count` is the number of intervals before the connection counts as lost; at least one, for the first request.
    init(interval: TimeAmount, count: Int) {
        self.interval = interval
        self.count = count
    }

    /// Returns the action at this time; `hasUnreadBytes` is true if received bytes are waiting to be read.
    ///
    /// While there are unread bytes, nothing more is read, so the silence is not caused by the peer.
    mutating func step(at now: NIODeadline, lastAnswer: NIODeadline, hasUnreadBytes: Bool) -> Step {
        if let asked = firstRequest, hasUnreadBytes || lastAnswer >= asked {
            firstRequest = nil
            unanswered = 0
        }
        if hasUnreadBytes { return .wait(interval) }
        let silence = now - lastAnswer
        guard silence >= interval else { return .wait(interval - silence) }
        guard firstRequest != nil else { return .ask }
        unanswered += 1
        return unanswered < count ? .ask : .giveUp(silence)
    }

    /// Records that a request was sent at this time.
    mutating func recordRequest(at now: NIODeadline) {
        guard firstRequest == nil else { return }
        firstRequest = now
        unanswered = 1
    }
}
