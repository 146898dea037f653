import Core
import Services

/// The output of a session after `vt sessions send --print`, if no condition was met, as JSON.
struct PartialWaitDocument {
    let reference: SessionReference
    let output: String
    let gap: LimitedOutput.Gap?
}

extension PartialWaitDocument: JSONDocument {
    static let documentName = "partial wait result"
    static let documentSummary = "the output of a session before a wait failed; the failure is on standard error"

    static let fields: JSONTable<Self> = [
        .field("name", \.reference.session, "name or ID of the session, as given"),
        .field("profile", \.reference.profile, "server; absent for this machine"),
        .field("output", \.output, "text that the program printed after the input"),
        .field("gap", \.gap, "output that was omitted because of `--max-output`"),
    ]
}
