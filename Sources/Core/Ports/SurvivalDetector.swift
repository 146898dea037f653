/// Determines whether a session started now on this machine would survive the user's logout.
package protocol SurvivalDetector: Sendable {
    /// Returns the mode and its reason; the mode is `uncertain` if survival cannot be determined.
    ///
    /// Takes up to about two seconds in a login session, and returns immediately outside one.
    func detect() async -> Survival
}
