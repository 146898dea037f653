import Core

/// An error as JSON.
struct FailureDocument: Codable {
    private let code: String
    private let message: String
    private let hint: String?
    private let causes: [String]?
    let exit: UInt8

    /// `exit` is the exit status of the process.
    init(_ error: VTError, exit: UInt8) {
        code = error.code.rawValue
        message = error.message
        hint = error.hint
        causes = error.causes.isEmpty ? nil : error.causes
        self.exit = exit
    }

    /// The error in the document; an unknown code of a later version is derived from the exit status.
    var error: VTError {
        let code = VTError.Code(rawValue: code) ?? VTError.Code.allCases.first { $0.status == exit } ?? .internal
        return VTError(code, message, hint: hint, causes: causes ?? [])
    }
}
