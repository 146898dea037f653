/// The result of one check of this machine.
package struct Finding: Hashable, Sendable {
    package enum Verdict: String, CaseIterable, JSONReadable, Sendable {
        case ok
        /// The subject works with limitations.
        case warn
        /// The subject does not work.
        case fail
    }

    /// One word for the subject of the check.
    package var check: String
    package var verdict: Verdict
    /// A phrase; may contain untrusted names.
    package var detail: String
    /// What the user can type to fix the problem.
    package var hint: String?

    package init(_ check: String, _ verdict: Verdict, _ detail: String, hint: String? = nil) {
        self.check = check
        self.verdict = verdict
        self.detail = detail
        self.hint = hint
    }
}

extension Finding: JSONRecord {
    package static let documentName = "check"
    package static let documentSummary = "a check of a machine"

    package static let fields: JSONTable<Self> = [
        .stored("check", \.check, "name of the check"),
        .stored("result", \.verdict, "result of the check"),
        .stored("detail", \.detail, "what was found"),
        .stored("hint", \.hint, "how to resolve the problem, such as a command"),
    ]

    package init() {
        self.init("", .ok, "")
    }
}
