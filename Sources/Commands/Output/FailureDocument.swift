import Core

/// An error as JSON.
struct FailureDocument: Codable {
    private let code: String
    private let message: String
    private let hint: String?
    private let causes: [String]?
    private let reason: String?
    private let programExit: ExitDocument?
    let exit: UInt8

    /// `exit` is the exit status of the process.
    init(_ error: VTError, exit: UInt8) {
        code = error.code.rawValue
        message = error.message
        hint = error.hint
        causes = error.causes.isEmpty ? nil : error.causes
        reason = error.sessionEnd?.reason.rawValue
        programExit = error.sessionEnd?.exit.map { ExitDocument($0) }
        self.exit = exit
    }

    /// The error in the document.
    ///
    /// If its code is unknown, because a later version of vt added it, the exit status determines the code.
    var error: VTError {
        let code = VTError.Code(rawValue: code) ?? VTError.Code.allCases.first { $0.status == exit } ?? .internal
        var error = VTError(code, message, hint: hint, causes: causes ?? [])
        error.sessionEnd = reason.flatMap(VTError.SessionEnd.Reason.init).map { .init($0, exit: programExit?.status) }
        return error
    }
}

extension FailureDocument: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case code, message, hint, causes, reason, exit
        case programExit = "program_exit"
    }

    static let documentName = "error"
    static let documentSummary = "why a command or a part of it failed"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .code: JSONField(\Self.code, of: VTError.Code.self, "error class")
        case .message: JSONField(\Self.message, "what failed")
        case .hint: JSONField(\Self.hint, "how to resolve the error, such as a command or an option")
        case .causes: JSONField(\Self.causes, "underlying errors, outermost first")
        case .reason:
            JSONField(
                \Self.reason,
                of: VTError.SessionEnd.Reason.self,
                "why a wait failed; `ended`, `no-match`: the program ended before a prompt or a matching line"
            )
        case .programExit: JSONField(\Self.programExit, "how the program of the session ended, if a wait failed")
        case .exit: JSONField(\Self.exit, "exit status for the error")
        }
    }
}
