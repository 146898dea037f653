import Arguments
import Core
import Recording
import Services
import Terminal

/// What `vt record` is told on its command line.
struct RecordOptions: Sendable {
    /// Where the recording goes.
    enum Destination: Hashable, Sendable {
        case standardOutput
        case file(RecordingName)
    }

    /// What happens to a file that is there.
    enum Existing: Sendable {
        case refuse, replace, append
    }

    var request = RecordRequest()
    let destination: Destination?
    let existing: Existing
    let endsWithInput: Bool
    // Of a command's session.
    let profile: String?
    let name: SessionName?
    let keeps: Bool
    let size: TerminalSize?
    let directory: String?
    let variables: [EnvironmentVariable]

    init(_ arguments: ParsedArguments) throws(VTError) {
        let position = { (text: String) throws(VTError) in try RecordingPosition(parsing: text) }
        request.start = try arguments.value("from", parse: position)
        request.end = try arguments.value("to", parse: position)
        request.follows = arguments.flag("follow")
        request.includesInput = arguments.flag("input")
        request.title = arguments.value("title")
        request.idleLimit = try arguments.value("idle-limit") { text throws(VTError) in try Duration(parsing: text) }
        request.theme = arguments.value("theme")
        request.limitBytes = try arguments.value("max-size") { text throws(VTError) in try ByteCountText.parse(text) }
        destination = try arguments.value("output") { text throws(VTError) in
            text == "-" ? .standardOutput : .file(try RecordingName(parsing: text))
        }
        if let format = arguments.choice("format", of: RecordingFormat.self) {
            request.format = format
        } else if let name = arguments.value("output") {
            let format = try RecordingFormat(fileName: name)
            request.format = format ?? .v3
        }
        existing = arguments.flag("append") ? .append : arguments.flag("force") ? .replace : .refuse
        endsWithInput = arguments.flag("until-eof")
        profile = arguments.value("profile")
        name = try arguments.value("name") { text throws(VTError) in try SessionName(text) }
        keeps = arguments.flag("keep")
        size = try arguments.value("size") { text throws(VTError) in try TerminalSize(parsing: text) }
        directory = arguments.value("cwd")
        variables = try arguments.values("env") { text throws(VTError) in try EnvironmentVariable(text) }
    }

    /// Refuses what means nothing for a session, or for a command.
    func check(isCommand: Bool, _ arguments: ParsedArguments) throws(VTError) {
        let others = isCommand ? ["from", "to", "follow"] : ["profile", "name", "keep", "size", "cwd", "env"]
        if let option = others.first(where: { arguments.flag($0) }) {
            throw VTError(
                .usage,
                "--\(option) is for the recording of a \(isCommand ? "session" : "command")",
                hint: option == "profile" ? "write PROFILE:SESSION" : "see 'vt help record'"
            )
        }
        if !isCommand, destination == nil {
            throw VTError(.usage, "--output is missing", hint: "add -o FILE, or -o - for standard output")
        }
        guard existing == .append else { return }
        guard request.format.cast != nil else {
            throw VTError(.usage, "--append is for asciicasts, and '\(request.format.rawValue)' is none")
        }
        if destination == .standardOutput { throw VTError(.usage, "--append needs a file") }
    }

    static let specs = [
        OptionSpec(
            "output",
            short: "o",
            value: ValueSpec("FILE", completion: .file),
            summary: "write to this file, or with '-' to standard output",
            details: "With COMMAND the default is '{session}-{start}.cast'."
        ),
        OptionSpec("follow", short: "f", summary: "go on until the session ends"),
        OptionSpec("from", value: ValueSpec("POSITION"), summary: "begin there"),
        OptionSpec("to", value: ValueSpec("POSITION"), summary: "end before it"),
        OptionSpec(
            "format",
            value: ValueSpec("FORMAT", choices: RecordingFormat.allCases.map(\.rawValue), defaultText: "v3"),
            summary: "write asciicast v3 or v2, the bytes for a terminal, or the text it showed",
            details: "Without it a FILE whose name ends in .raw or .txt gets that."
        ),
        OptionSpec("title", value: ValueSpec("TEXT"), summary: "give the recording a title"),
        OptionSpec(
            "idle-limit",
            value: ValueSpec("DURATION"),
            summary: "have players shorten longer pauses to this; the times stay true"
        ),
        OptionSpec(
            "theme",
            value: ValueSpec("THEME", choices: Theme.all.map(\.name)),
            summary: "note the colours of this theme"
        ),
        OptionSpec(
            "input",
            summary: "record what is typed, too, where the terminal echoes it",
            details:
                "Never what is typed while the echo is off, as for passwords, and neither keys for editors and shells, "
                + "which show by themselves what is typed. A session is to be made with --log-input for that."
        ),
        OptionSpec(
            "max-size",
            value: ValueSpec("SIZE"),
            summary: "end the recording before it is larger",
            details: "A command goes on to its end."
        ),
        OptionSpec(
            "append",
            excludes: ["force"],
            summary: "add to the asciicast in FILE, in its format, where there is one",
            details: "The times go on after its last event, and a last line that was cut off is removed."
        ),
        OptionSpec("force", summary: "replace FILE where there is one"),
        OptionSpec("profile", value: ValueSpec("PROFILE", completion: .profile), summary: "run COMMAND on this server"),
        OptionSpec(
            "name",
            value: ValueSpec("NAME", defaultText: "record-ID"),
            summary: "name the session of COMMAND"
        ),
        OptionSpec("keep", summary: "keep the session of COMMAND, and its log"),
        OptionSpec(
            "size",
            value: ValueSpec("COLSxROWS"),
            summary: "set the terminal's size for COMMAND; the default is that of this one, or 80x24"
        ),
        OptionSpec("cwd", value: ValueSpec("DIR", completion: .directory), summary: "run COMMAND in this directory"),
        OptionSpec(
            "env",
            value: ValueSpec("NAME=VALUE"),
            isRepeatable: true,
            summary: "set an environment variable for COMMAND"
        ),
        OptionSpec("until-eof", summary: "give up when standard input ends"),
    ]
}
