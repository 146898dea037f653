import NIOCore

/// Decides when a silent peer is asked for an answer, and when it counts as lost.
///
/// Any byte counts as an answer. Only ticks that follow a question without any byte in between count as unanswered, however
/// late they come.
struct SilenceWatch {
    /// What is to be done at a tick.
    enum Step: Equatable {
        case wait(TimeAmount)
        /// Ask, and tick again after `interval`.
        case ask
        /// Nothing has come for this time, in spite of the questions.
        case giveUp(TimeAmount)
    }

    let interval: TimeAmount
    private let count: Int
    /// When the oldest question was asked that nothing has answered.
    private var firstQuestion: NIODeadline?
    /// How many intervals that question has been without an answer, the one that it began included.
    private var unanswered = 0

    /// `count` is how many intervals may pass before the link is given up; the first question always has one.
    init(interval: TimeAmount, count: Int) {
        self.interval = interval
        self.count = count
    }

    /// Returns what to do at this time; `hasUnreadBytes` tells that bytes have come which nobody has taken.
    ///
    /// With unread bytes the peer's silence is our own doing: nothing more is read before they are taken.
    mutating func step(at now: NIODeadline, lastArrival: NIODeadline, hasUnreadBytes: Bool) -> Step {
        if let asked = firstQuestion, hasUnreadBytes || lastArrival >= asked {
            firstQuestion = nil
            unanswered = 0
        }
        if hasUnreadBytes { return .wait(interval) }
        let silence = now - lastArrival
        guard silence >= interval else { return .wait(interval - silence) }
        guard firstQuestion != nil else { return .ask }
        unanswered += 1
        return unanswered < count ? .ask : .giveUp(silence)
    }

    /// The peer was asked at this time.
    mutating func hasAsked(at now: NIODeadline) {
        guard firstQuestion == nil else { return }
        firstQuestion = now
        unanswered = 1
    }
}
