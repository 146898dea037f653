import Core

/// How the vt process exits.
package enum ProcessExit: Hashable, Sendable {
    case status(UInt8)
    /// Terminated by a signal, so that the parent process sees the signal.
    case signal(CInt)

    /// The exit status of an error class.
    static func failure(_ code: VTError.Code) -> ProcessExit {
        .status(code.status)
    }
}

extension ProcessExit: ExpressibleByIntegerLiteral {
    package init(integerLiteral status: UInt8) {
        self = .status(status)
    }
}
