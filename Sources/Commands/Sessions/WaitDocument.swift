import Core
import Services

/// The result of a wait as JSON, one line per session.
struct WaitDocument: Codable {
    let id: String
    let name: String
    let profile: String?
    let state: String
    let exit: ExitDocument?
    let offset: UInt64
    let match: String?
    let line: String?
    let row: Int?
    let commandExit: Int?
    let elapsedMilliseconds: Int64

    private enum CodingKeys: String, CodingKey {
        case id, name, profile, state, exit, offset, match, line, row
        case commandExit = "command_exit"
        case elapsedMilliseconds = "elapsed_ms"
    }

    init(_ outcome: WaitOutcome, profile: String?) {
        id = outcome.id.text
        name = outcome.name
        self.profile = profile
        state = outcome.state.rawValue
        exit = outcome.exit.map(ExitDocument.init)
        offset = outcome.offset
        match = outcome.match
        line = outcome.line
        row = outcome.row
        commandExit = outcome.commandExit
        elapsedMilliseconds = outcome.elapsed.wholeMilliseconds
    }
}
