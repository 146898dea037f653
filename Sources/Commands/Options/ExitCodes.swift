import Core

extension VTError.Code {
    /// The error codes of every command that connects to servers.
    ///
    /// They include the codes for credentials that cannot be read: a malformed private key is `data.invalid`, and a
    /// password command that takes too long is `timed-out`.
    static let ofConnections: [Self] = [
        .dataInvalid, .notFound, .hostUnresolved, .hostUnreachable, .system, .protocolViolation, .authDenied,
        .hostKeyChanged, .hostKeyUnknown, .tlsUntrusted, .config, .timedOut,
    ]
    /// The error codes of every command that changes one of vt's files.
    static let ofChanges: [Self] = [.system, .cannotCreate, .busy, .config]
    /// The error codes of every command that connects to the holder of a running session, on this machine or a server:
    /// the session might have ended or might not be ready.
    static let ofHolders = ofConnections + [.negative, .ended, .busy]
}
