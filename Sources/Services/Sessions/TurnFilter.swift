import Core

/// The turns of a session to list.
package struct TurnFilter: Hashable, Sendable {
    /// Only this turn; a negative number counts from the last turn, which is -1.
    package var number: Int64?
    /// Only turns after this one.
    package var after: UInt64?
    /// Only turns that started at or after this time.
    package var since: Timestamp?
    /// Only turns that started within this duration before now, by the clock of the session's machine.
    package var age: Duration?
    /// Only turns that ended with a status other than 0.
    package var hasFailed = false
    /// Only turns whose command line contains this text.
    package var text: String?
    /// The number of turns, the newest ones; nil for all.
    package var limit: Int?

    package init() {}

    package init(number: Int64) {
        self.number = number
    }
}
