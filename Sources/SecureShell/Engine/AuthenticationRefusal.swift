import Core

/// A server's response when a method fails or is not sufficient (RFC 4252 §5.1).
struct AuthenticationRefusal: Equatable {
    /// The methods with which authentication can continue.
    var methods: [String]
    /// Whether the method was accepted and another one is required.
    var isPartialSuccess: Bool
}
