import Core

extension VTError.Code {
    /// The error codes of every command that connects to servers.
    ///
    /// They include those of reading the credentials: a malformed private key is `data.invalid`, and a password command
    /// may be `timed-out`.
    static let ofConnections: [Self] = [
        .dataInvalid, .notFound, .hostUnresolved, .hostUnreachable, .system, .protocolViolation, .authDenied,
        .hostKeyChanged, .hostKeyUnknown, .config, .timedOut,
    ]
    /// Those of every command that changes a file of vt.
    static let ofChanges: [Self] = [.system, .cannotCreate, .busy, .config]
    /// Those of every command that talks to the holder of a running session, on this machine or a server: the session
    /// may have ended or may not be ready.
    static let ofHolders = ofConnections + [.negative, .busy]
}
