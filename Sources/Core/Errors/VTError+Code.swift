extension VTError {
    /// A failure class of vt, with the exit status that stands for it.
    ///
    /// The raw value is the stable code that scripts see in `--json`. Both columns are frozen: codes may be added, never
    /// renamed or renumbered. The numbers follow sysexits(3), and timeout(1) for 124.
    package enum Code: String, CaseIterable, Encodable, Sendable {
        /// Asked, and the answer is no.
        case negative
        /// The words of the command line make no command.
        case usage
        /// A recording, key or JSON document is malformed.
        case dataInvalid = "data.invalid"
        /// No such profile, session or file.
        case notFound = "not-found"
        /// The host name has no address.
        case hostUnresolved = "host.unresolved"
        /// Refused, no route, connecting timed out, or the link was lost.
        case hostUnreachable = "host.unreachable"
        /// A defect of vt.
        case `internal`
        /// The system refused a process, a PTY, memory or a descriptor.
        case system
        /// The name is taken.
        case exists
        /// The file cannot be made.
        case cannotCreate = "cannot-create"
        /// A read or write failed.
        case io
        /// Another process holds the lock.
        case busy
        /// The peer broke the protocol, or there is no common algorithm or version.
        case protocolViolation = "protocol"
        /// No credential was accepted.
        case authDenied = "auth.denied"
        /// The server shows another host key than the known one.
        case hostKeyChanged = "host-key.changed"
        /// The server's host key is not known, and the policy forbids to accept it.
        case hostKeyUnknown = "host-key.unknown"
        /// A file of vt's own cannot be used.
        case config
        /// A `--timeout` ran out.
        case timedOut = "timed-out"

        /// The exit status of a command that passes a program's status through, when vt itself failed (ssh(1) does so too).
        package static let passThroughFailure: UInt8 = 255

        /// The exit status in a command that passes a program's status through: 255, or 124 for a `--timeout` that ran out.
        package var passThroughStatus: UInt8 {
            self == .timedOut ? status : Self.passThroughFailure
        }

        /// The exit status, 1–124.
        package var status: UInt8 {
            switch self {
            case .negative: 1
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
            case .authDenied, .hostKeyChanged, .hostKeyUnknown: 77
            case .config: 78
            case .timedOut: 124
            }
        }

        /// One phrase for `vt help exit-codes`.
        package var meaning: String {
            switch self {
            case .negative: "the answer is no (no match, or a target failed)"
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
            case .busy: "a lock is held; try again"
            case .protocolViolation: "protocol error, no common algorithm, or version mismatch"
            case .authDenied: "authentication failed"
            case .hostKeyChanged: "the host key has changed"
            case .hostKeyUnknown: "the host key is unknown"
            case .config: "one of vt's files cannot be used"
            case .timedOut: "a --timeout expired"
            }
        }
    }
}
