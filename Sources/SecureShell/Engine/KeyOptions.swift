/// The options of the key with which a user has logged in, as OpenSSH 7.7 and later report them in a message for debugging
/// (RFC 4253 §11.3, auth_log_authopts in auth.c).
struct KeyOptions {
    /// Whether the key is for one command, which the server runs instead of those that are requested.
    let forcesCommand: Bool

    private static let label = ": key options:"

    /// Returns nil for a message about something else.
    init?(_ message: String) {
        guard let label = message.ranges(of: Self.label).last else { return nil }
        forcesCommand = message[label.upperBound...].split(separator: " ").contains("command")
    }
}
