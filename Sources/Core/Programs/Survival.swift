/// Whether a session started now survives the user's logout, and what that requires.
package struct Survival: Hashable, Sendable {
    /// What happens to a session when its user logs out, and why.
    package enum Mode: String, CaseIterable, JSONValue, Sendable {
        /// Logging out has no effect: vt is not running in a login session.
        case unaffected
        /// The session runs in the scope of the login session, whose processes are not killed at logout.
        case loginScope = "login-scope"
        /// The session runs in the user's service manager, which keeps running after the last logout.
        case userScope = "user-scope"
        /// It could not be determined whether the session survives.
        case uncertain
        /// The session ends with the login session.
        case dies
    }

    package var mode: Mode
    /// The reason in one phrase for the user; may contain untrusted names.
    package var reason: String
    /// What the user can type to make sessions survive; nil if nothing is needed, or no remedy is known.
    package var hint: String?
    /// The words to prepend to the holder's command line so that the holder survives a logout; usually none.
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
