/// How a program ended.
package enum ExitStatus: Hashable, Sendable {
    /// Exited with a status: 0–255 on POSIX systems, 32 bits on the wire (RFC 4254 §6.10).
    case exited(UInt32)
    /// Killed by a signal.
    case signalled(SignalName, coreDumped: Bool)

    package var isSuccess: Bool {
        self == .exited(0)
    }

    /// For messages: `exit status 4`, or `terminated by signal TERM`.
    package var phrase: String {
        switch self {
        case .exited(let status): "exit status \(status)"
        case .signalled(let signal, _): "terminated by signal \(signal.text)"
        }
    }

    /// The equivalent exit status in a shell: the status itself, or 128+n for signal n.
    ///
    /// A status above 255 becomes 255; a signal without a number on this system becomes 128.
    package var shellStatus: UInt8 {
        switch self {
        case .exited(let status): UInt8(clamping: status)
        case .signalled(let signal, _): UInt8(clamping: 128 + (signal.number ?? 0))
        }
    }
}

extension VTError.SessionEnd {
    /// `exit` is how the program ended; nil if that is not known.
    package init(_ reason: Reason, exit: ExitStatus?) {
        self.init(reason)
        switch exit {
        case nil: break
        case .exited(let code): exitCode = code
        case .signalled(let signal, let coreDumped): (self.signal, self.coreDumped) = (signal.text, coreDumped)
        }
    }

    /// How the program ended; nil if that is not known.
    package var exit: ExitStatus? {
        if let exitCode { return .exited(exitCode) }
        return signal.map { .signalled(SignalName($0), coreDumped: coreDumped) }
    }
}
