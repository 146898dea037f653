import Core
import NIOCore

extension Error {
    /// The error as the cause of another one: for a failed system call, only the reason.
    package var causeText: String {
        (self as? IOError).map { systemErrorText($0.errnoCode) } ?? "\(self)"
    }
}
