/// Determines whether a session started now on this machine would survive the user's logout.
package protocol SurvivalDetector: Sendable {
    /// Returns immediately outside a login session, and within about two seconds otherwise; the mode is `uncertain` if
    /// survival cannot be determined.
    func detect() async -> Survival
}
