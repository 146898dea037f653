/// Whether a session outlives the logout of the user who begins it now, and what that takes.
package struct Survival: Hashable, Sendable {
    /// Where the session's processes live, as far as logging out is concerned.
    package enum Mode: String, CaseIterable, Sendable {
        /// Logging out concerns nobody: we are not part of a login.
        case unaffected
        /// In the scope of the login, whose processes stay when it ends.
        case loginScope = "login-scope"
        /// In the user's service manager, which goes on without a login.
        case userScope = "user-scope"
        /// It could not be found out.
        case uncertain
        /// It ends with the login.
        case dies
    }

    package var mode: Mode
    /// Why, in one phrase for the user; may hold names from outside.
    package var reason: String
    /// What the user can type so that sessions survive; nil where nothing is to be done or known.
    package var hint: String?
    /// The words before the holder's own that start it where it survives; usually none.
    package var launchPrefix: [ByteString]

    package init(_ mode: Mode, reason: String, hint: String? = nil, launchPrefix: [ByteString] = []) {
        self.mode = mode
        self.reason = reason
        self.hint = hint
        self.launchPrefix = launchPrefix
    }

    /// Whether it is certain that sessions survive.
    package var isCertain: Bool {
        switch mode {
        case .unaffected, .loginScope, .userScope: true
        case .uncertain, .dies: false
        }
    }
}
