/// What a line shows about lines before it, in any text of a recording; these are found when it is read again.
final class LateFindings {
    /// Whether a private key is shown apart from its first line, so that a full line of Base64 anywhere is part of one.
    private(set) var showsKeyLines = false
    /// Secrets whose own lines do not show that they are secrets, and the rules that found them.
    private(set) var secrets: [[UInt8]: String] = [:]

    /// The maximum number of secrets.
    private static let most = 10_000

    /// Increases with each finding.
    var count: Int { secrets.count + (showsKeyLines ? 1 : 0) }

    func recordKeyLines() { showsKeyLines = true }

    func record(_ secret: some Sequence<UInt8>, rule: String) {
        if secrets.count < Self.most { secrets[Array(secret)] = rule }
    }
}
