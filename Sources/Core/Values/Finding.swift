/// What one look at this machine found.
package struct Finding: Hashable, Sendable {
    package enum Verdict: String, Codable, Sendable {
        case ok
        /// It works, but not in every case.
        case warn
        /// It does not work.
        case fail
    }

    /// One word that names what was looked at.
    package var check: String
    package var verdict: Verdict
    /// A phrase; may hold names from outside.
    package var detail: String
    /// What the user can type to mend it.
    package var hint: String?

    package init(_ check: String, _ verdict: Verdict, _ detail: String, hint: String? = nil) {
        self.check = check
        self.verdict = verdict
        self.detail = detail
        self.hint = hint
    }
}
