/// Finds out whether a session begun here and now would outlive the user's logout.
package protocol SurvivalDetector: Sendable {
    /// Takes no time where there is no login, and a second or two at most elsewhere; what cannot be found out is
    /// `uncertain`.
    func detect() async -> Survival
}
