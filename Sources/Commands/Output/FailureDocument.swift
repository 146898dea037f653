import Core

/// A failure as JSON shows it.
struct FailureDocument: Encodable {
    private let code: String
    private let message: String
    private let hint: String?
    private let causes: [String]?
    private let exit: UInt8

    /// `exit` is the exit status that stands for it.
    init(_ error: VTError, exit: UInt8) {
        code = error.code.rawValue
        message = error.message
        hint = error.hint
        causes = error.causes.isEmpty ? nil : error.causes
        self.exit = exit
    }
}
