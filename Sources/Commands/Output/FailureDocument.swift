import Core

/// An error as JSON.
struct FailureDocument {
    private var code = ""
    private var message = ""
    private var hint: String?
    private var causes: [String]?
    private var reason: String?
    private var programExit: ExitStatus?
    private(set) var exit: UInt8 = 0

    init() {}

    /// `exit` is the exit status of the process.
    init(_ error: VTError, exit: UInt8) {
        code = error.code.rawValue
        message = error.message
        hint = error.hint
        causes = error.causes.isEmpty ? nil : error.causes
        reason = error.sessionEnd?.reason.rawValue
        programExit = error.sessionEnd?.exit
        self.exit = exit
    }

    /// The error in the document.
    ///
    /// If its code is unknown, because a later version of vt added it, the exit status determines the code.
    var error: VTError {
        let code = VTError.Code(rawValue: code) ?? VTError.Code.allCases.first { $0.status == exit } ?? .internal
        var error = VTError(code, message, hint: hint, causes: causes ?? [])
        error.sessionEnd = reason.flatMap(VTError.SessionEnd.Reason.init).map { .init($0, exit: programExit) }
        return error
    }
}

extension FailureDocument: JSONRecord {
    static let documentName = "error"
    static let documentSummary = "why a command or a part of it failed"

    static let fields: JSONTable<Self> = [
        .stored("code", \.code, "error class", as: VTError.Code.jsonType),
        .stored("message", \.message, "what failed"),
        .stored("hint", \.hint, "how to resolve the error, such as a command or an option"),
        .stored("causes", \.causes, "underlying errors, outermost first"),
        .stored(
            "reason",
            \.reason,
            "why a wait failed; `ended`, `no-match`: the program ended before a prompt or a matching line",
            as: VTError.SessionEnd.Reason.jsonType
        ),
        .stored("exit", \.exit, "exit status for the error"),
        .stored("program_exit", \.programExit, "how the program of the session ended, if a wait failed"),
    ]
}
