/// A failure to report to the user.
///
/// The message starts with a lowercase letter, has its subject in single quotes, and does not end with a period. It may
/// contain untrusted text: sanitize it before printing (`String.sanitized`).
package struct VTError: Error, Hashable, Sendable {
    /// The class of failure, which determines the exit status.
    package var code: VTError.Code
    /// One line that starts with what failed.
    package var message: String
    /// What the user can do about the failure, such as a command or an option to type.
    package var hint: String?
    /// Underlying causes, outermost first; shown with `-v`.
    package var causes: [String]
    /// Whether the failure occurred before anything was done, so that a retry might succeed.
    package var isTransient: Bool
    /// The status with which a shell exits if a program cannot be started for this reason; nil for other failures.
    package var startStatus: UInt32?
    /// The errno of a failed TCP connection; nil for other failures.
    package var connectErrno: Int32?
    /// The methods that a server accepts, if authentication failed (RFC 4252 §5.1); nil for other failures.
    package var acceptedMethods: [String]?
    /// What the user can do about a private key file that could not be used, if authentication failed; nil for other
    /// failures.
    package var keyFileHint: String?
    /// Whether OpenSSH's client can connect to a server that has no algorithm in common with libssh2.
    package var isSolvedByOpenSSH = false
    /// How the session ended for whose output or program a command has waited; nil for other failures.
    package var sessionEnd: SessionEnd?
    /// Whether a file system does not permit what was attempted, so that another way to the same end may work.
    package var isRefusal = false
    /// Whether the task of the call was canceled.
    package var isCancellation = false

    /// What is known about the program, if running it has failed; nil for other failures.
    package var program: ProgramState?

    package enum ProgramState: String, CaseIterable, Sendable {
        case notStarted = "not-started"
        /// vt has ended it, and it is not running any more.
        case ended
        /// It was, or might have been, started, and nothing shows that it has ended.
        case mayBeRunning = "may-be-running"
    }

    package struct SessionEnd: Hashable, Sendable {
        package enum Reason: String, CaseIterable, Sendable {
            /// The program ended before what the command waited for.
            case ended
            /// The program ended, and no line matched.
            case noMatch = "no-match"
            /// The session was lost, or was never started, so that it is not known how its program ended.
            case lost
        }

        package var reason: Reason
        /// The exit status of the program; nil if a signal terminated it, or if it is not known.
        package var exitCode: UInt32?
        /// The name of the signal that terminated the program, without SIG, and whether it caused a core dump.
        package var signal: String?
        package var coreDumped = false

        package init(_ reason: Reason) {
            self.reason = reason
        }
    }

    /// The status for a program that was not found (sh(1p), "Exit Status for Commands").
    package static let notFoundStatus: UInt32 = 127
    /// The status for a program that was found but cannot be executed, or whose working directory cannot be entered.
    package static let notExecutableStatus: UInt32 = 126

    package init(
        _ code: VTError.Code,
        _ message: String,
        hint: String? = nil,
        causes: [String] = [],
        isTransient: Bool = false
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.causes = causes
        self.isTransient = isTransient
    }
}

extension VTError {
    /// Returns the error with the state of the program, unless it is already known.
    package func leaving(_ program: ProgramState) -> VTError {
        var error = self
        error.program = error.program ?? program
        return error
    }

    /// The error for a connection to a server, or to a session, that has ended unexpectedly.
    package static func connectionLost(to name: String, causes: [String] = []) -> VTError {
        VTError(.hostUnreachable, "lost the connection to '\(name)'", causes: causes)
    }

    /// Thrown by an asynchronous call whose task is canceled.
    ///
    /// The code that cancels the task replaces this error with the actual reason, so the user never sees it.
    package static let cancelled: VTError = {
        var error = VTError(.internal, "the operation was canceled")
        error.isCancellation = true
        return error
    }()
}
