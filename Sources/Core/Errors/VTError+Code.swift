extension VTError {
    /// A class of failure, with its exit status.
    ///
    /// The raw value is the stable code that scripts see in `--json`. Codes may be added but are never renamed, and
    /// their exit statuses never change. Most statuses are those of sysexits(3); 124 is that of timeout(1).
    package enum Code: String, CaseIterable, Sendable {
        /// The answer to a yes-or-no question is no, or the command failed for one of several targets.
        case negative
        /// The session has ended.
        case ended
        /// The command line is invalid.
        case usage
        /// A recording, key or JSON document is malformed.
        case dataInvalid = "data.invalid"
        /// The profile, session or file does not exist.
        case notFound = "not-found"
        /// The host name cannot be resolved.
        case hostUnresolved = "host.unresolved"
        /// The connection was refused, timed out or was lost, or there is no route to the host.
        case hostUnreachable = "host.unreachable"
        /// A bug in vt.
        case `internal`
        /// The system could not provide a process, a PTY, memory or a file descriptor.
        case system
        /// The file already exists, or the name is in use.
        case exists
        /// The file cannot be created or written.
        case cannotCreate = "cannot-create"
        /// A read or write failed.
        case io
        /// The session is running, or another process holds the lock.
        case busy
        /// The peer violated the protocol, or no common algorithm or version was found.
        case protocolViolation = "protocol"
        /// The server accepted none of the credentials.
        case authDenied = "auth.denied"
        /// The server's host key differs from the known one, or is revoked.
        case hostKeyChanged = "host-key.changed"
        /// The server's host key is unknown, and the policy does not allow accepting it.
        case hostKeyUnknown = "host-key.unknown"
        /// The certificate of a server with TLS cannot be verified.
        case tlsUntrusted = "tls.untrusted"
        /// One of vt's own files cannot be used.
        case config
        /// A timeout expired, usually the one set with `--timeout`.
        case timedOut = "timed-out"

        /// The exit status for a failure of vt itself in commands that pass through a program's status, as in ssh(1).
        package static let passThroughFailure: UInt8 = 255

        /// The exit status in commands that pass through a program's status: 124 for an expired `--timeout`, otherwise
        /// 255.
        package var passThroughStatus: UInt8 {
            self == .timedOut ? status : Self.passThroughFailure
        }

        /// Whether the answer is no, or the session has ended; versions of vt without `ended` report `negative` for both.
        package var isNegative: Bool { self == .negative || self == .ended }

        /// The exit status, 1–124.
        package var status: UInt8 {
            switch self {
            case .negative, .ended: 1
            case .usage: 64
            case .dataInvalid: 65
            case .notFound: 66
            case .hostUnresolved: 68
            case .hostUnreachable: 69
            case .internal: 70
            case .system: 71
            case .exists, .cannotCreate: 73
            case .io: 74
            case .busy: 75
            case .protocolViolation: 76
            case .authDenied, .hostKeyChanged, .hostKeyUnknown, .tlsUntrusted: 77
            case .config: 78
            case .timedOut: 124
            }
        }

        /// A short description for `vt help exit-codes`.
        package var meaning: String {
            switch self {
            case .negative: "nothing matched, or a target failed"
            case .ended: "the session has ended"
            case .usage: "invalid command line"
            case .dataInvalid: "malformed recording, key or JSON"
            case .notFound: "no such profile, session or file"
            case .hostUnresolved: "cannot resolve the host name"
            case .hostUnreachable: "connection refused, timed out or lost, or no route to host"
            case .internal: "a bug in vt"
            case .system: "the system cannot provide a process, PTY, memory or file descriptor"
            case .exists: "already exists"
            case .cannotCreate: "cannot create or write a file"
            case .io: "a read or write failed, including standard output"
            case .busy: "the session or file is in use"
            case .protocolViolation: "protocol error, no common algorithm, or version mismatch"
            case .authDenied: "authentication failed"
            case .hostKeyChanged: "the host key has changed or is revoked"
            case .hostKeyUnknown: "the host key is unknown"
            case .tlsUntrusted: "the certificate of a server cannot be verified"
            case .config: "one of vt's files cannot be used"
            case .timedOut: "a timeout expired"
            }
        }
    }
}
