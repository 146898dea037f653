/// How a program ended.
package enum ExitStatus: Hashable, Sendable {
    /// Exited with a status: 0–255 on POSIX systems, 32 bits on the wire (RFC 4254 §6.10).
    case exited(UInt32)
    /// Killed by a signal.
    case signalled(SignalName, coreDumped: Bool)
    /// Not known: the server reported neither a status nor a signal, and the program might still be running.
    case unknown

    package var isSuccess: Bool {
        self == .exited(0)
    }

    /// For messages: `exit status 4`, `terminated by signal TERM`, or `no exit status`.
    package var phrase: String {
        switch self {
        case .exited(let status): "exit status \(status)"
        case .signalled(let signal, _): "terminated by signal \(signal.text)"
        case .unknown: "no exit status"
        }
    }

    /// The equivalent exit status in a shell: the status itself, or 128+n for signal n.
    ///
    /// A status above 255 becomes 255, as does an unknown one; a signal without a number on this system becomes 128.
    package var shellStatus: UInt8 {
        switch self {
        case .exited(let status): UInt8(clamping: status)
        case .signalled(let signal, _): UInt8(clamping: 128 + (signal.number ?? 0))
        case .unknown: VTError.Code.passThroughFailure
        }
    }

    /// Returns the status of a program on the server `name`.
    ///
    /// - Throws: `host.unreachable` if it is unknown.
    package func known(on name: String) throws(VTError) -> ExitStatus {
        if let error = error(on: name) { throw error }
        return self
    }

    /// The error for an unknown status of a program on the server `name`; nil if the status is known.
    package func error(on name: String) -> VTError? {
        guard self == .unknown else { return nil }
        return VTError(
            .hostUnreachable,
            "'\(name)' closed the channel of the program without an exit status; the program might still be running"
        )
    }
}

extension VTError.SessionEnd {
    /// `exit` is how the program ended; nil if that is not known.
    package init(_ reason: Reason, exit: ExitStatus?) {
        self.init(reason)
        switch exit {
        case nil, .unknown: break
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
