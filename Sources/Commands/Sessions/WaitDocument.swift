import Arguments
import Core
import Services

/// The result of `vt sessions wait` as JSON, one line per session.
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

    init(_ outcome: WaitOutcome, profile: String?) {
        id = outcome.session.id.text
        name = outcome.session.name
        self.profile = profile
        state = outcome.session.state.rawValue
        exit = outcome.session.exit.map(ExitDocument.init)
        offset = outcome.offset
        match = outcome.match
        line = outcome.line
        row = outcome.row
        commandExit = outcome.commandExit
        elapsedMilliseconds = outcome.elapsed.wholeMilliseconds
    }
}

extension WaitDocument: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, profile, state, exit, offset, match, line, row
        case commandExit = "command_exit"
        case elapsedMilliseconds = "elapsed_ms"
    }

    static let documentName = "wait result"
    static let documentSummary = "the result of waiting for a session"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .id: JSONField(\Self.id, "ID of the session")
        case .name: JSONField(\Self.name, "name of the session")
        case .profile: JSONField(\Self.profile, "server; absent for this machine")
        case .state: JSONField(\Self.state, of: SessionState.self, "state of the session")
        case .exit: JSONField(\Self.exit, "how the program ended, if it has")
        case .offset:
            JSONField(
                \Self.offset,
                "end of the match or prompt; if there is none, the end of the output",
                in: .bytes
            )
        case .match: JSONField(\Self.match, "text that matches the expression, with `--match`")
        case .line: JSONField(\Self.line, "line that contains the match")
        case .row: JSONField(\Self.row, "row of the screen in which the line starts, numbered from 0")
        case .commandExit:
            JSONField(\Self.commandExit, "exit status of the last command, with `--prompt`, if the shell reported it")
        case .elapsedMilliseconds: JSONField(\Self.elapsedMilliseconds, "time spent waiting", in: .milliseconds)
        }
    }
}
