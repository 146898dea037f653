/// An authentication method of SSH (RFC 4252, RFC 4256), with its name in the protocol.
package enum AuthenticationMethod: String, Sendable {
    case publicKey = "publickey"
    case password
    case keyboardInteractive = "keyboard-interactive"

    /// The methods to try, in order, unless options say otherwise.
    package static let standard = [AuthenticationMethod.publicKey, .password, .keyboardInteractive]
}
