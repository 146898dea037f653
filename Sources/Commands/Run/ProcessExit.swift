import Core

/// How the process of a run exits.
package enum ProcessExit: Hashable, Sendable {
    case status(UInt8)
    /// By a signal, as if it had never been taken over: the parent process sees the signal.
    case signal(CInt)

    /// The exit status of a failure class.
    static func failure(_ code: VTError.Code) -> ProcessExit {
        .status(code.status)
    }
}

extension ProcessExit: ExpressibleByIntegerLiteral {
    package init(integerLiteral status: UInt8) {
        self = .status(status)
    }
}
