import Core

/// A shell that is at its prompt, as its mark says.
struct PromptShell: Hashable {
    let kind: ShellKind
    /// Differs for each shell, also after `exec` in the same process.
    let identifier: String
    let processID: Int32

    /// `fields` are those of mark B.
    init?(_ fields: [Substring]) {
        guard fields.count > 5, let kind = ShellKind(rawValue: String(fields[3])), let processID = Int32(fields[5])
        else { return nil }
        (self.kind, identifier, self.processID) = (kind, String(fields[4]), processID)
    }
}
