import Core
import Services

/// What a wait found, as JSON shows it: one line for each session.
struct WaitDocument: Codable {
    let id: String
    let name: String
    let profile: String?
    let state: String
    let exit: ExitDocument?
    let offset: UInt64
    let match: String?
    let line: String?
    let elapsedMilliseconds: Int64

    private enum CodingKeys: String, CodingKey {
        case id, name, profile, state, exit, offset, match, line
        case elapsedMilliseconds = "elapsed_ms"
    }

    init(_ outcome: WaitOutcome, profile: String?) {
        id = outcome.session.id.text
        name = outcome.session.name
        self.profile = profile
        state = outcome.session.state.rawValue
        exit = outcome.session.exit.map(ExitDocument.init)
        offset = outcome.offset
        match = outcome.match
        line = outcome.line
        elapsedMilliseconds = outcome.elapsed.wholeMilliseconds
    }
}
