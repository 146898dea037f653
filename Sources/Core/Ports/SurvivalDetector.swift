/// Determines whether a session started here and now would outlive the user's logout.
package protocol SurvivalDetector: Sendable {
    /// Returns immediately outside a login session, and within about two seconds otherwise; if survival cannot be
    /// determined, its mode is `uncertain`.
    func detect() async -> Survival
}
