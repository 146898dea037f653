/// A failure class of vt, with the exit status that stands for it.
///
/// The raw value is the stable code that scripts see in `--json`. Both columns are frozen: codes may be added, never
/// renamed or renumbered. The numbers follow sysexits(3), and timeout(1) for 124.
package enum ExitCode: String, CaseIterable, Encodable, Sendable {
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
        case .negative: "asked, and the answer is no (no match, some target failed)"
        case .usage: "the command line is not understood"
        case .dataInvalid: "malformed recording, key or JSON"
        case .notFound: "no such profile, session or file"
        case .hostUnresolved: "the host name did not resolve"
        case .hostUnreachable: "refused, no route, connecting timed out, link lost"
        case .internal: "a defect of vt"
        case .system: "process, PTY, memory or descriptors refused by the system"
        case .exists: "already there"
        case .cannotCreate: "cannot be written"
        case .io: "a read or write failed, standard output included"
        case .busy: "a lock is held, try again"
        case .protocolViolation: "the peer broke the protocol, no common algorithm, version mismatch"
        case .authDenied: "no credential was accepted"
        case .hostKeyChanged: "the host key is another one than the known one"
        case .hostKeyUnknown: "the host key is not known"
        case .config: "a file of vt cannot be used"
        case .timedOut: "a --timeout ran out"
        }
    }
}
