import Arguments
import Core
import Recording
import Services
import Terminal

/// The parsed options of `vt record`.
struct RecordOptions: Sendable {
    /// The file or stream to write the recording to.
    enum Destination: Hashable, Sendable {
        case standardOutput
        case file(RecordingName)
    }

    /// How an existing file is handled.
    enum Existing: Sendable {
        case fail, replace, append
    }

    var request = RecordRequest()
    let destination: Destination?
    let existing: Existing
    // Options for the session of a command.
    let profile: String?
    let name: SessionName?
    let keeps: Bool
    let size: TerminalSize?
    let directory: String?
    let variables: [EnvironmentVariable]

    init(_ arguments: ParsedArguments) throws(VTError) {
        request.start = try arguments.position("from")
        request.end = try arguments.position("to")
        request.follows = arguments.flag("follow")
        request.includesInput = arguments.flag("input")
        request.title = arguments.value("title")
        request.idleLimit = try arguments.duration("idle-limit")
        request.theme = arguments.value("theme")
        request.limitBytes = try arguments.size("max-size")
        destination = try arguments.value("output") { text throws(VTError) in
            text == "-" ? .standardOutput : .file(try RecordingName(parsing: text))
        }
        if let format = arguments.choice("format", of: RecordingFormat.self) {
            request.format = format
        } else if let name = arguments.value("output") {
            let format = try RecordingFormat(fileName: name)
            request.format = format ?? .v3
        }
        existing = arguments.flag("append") ? .append : arguments.flag("force") ? .replace : .fail
        profile = arguments.value("profile")
        name = try arguments.value("name") { text throws(VTError) in try SessionName(text) }
        keeps = arguments.flag("keep")
        size = try arguments.terminalSize("size")
        directory = arguments.value("cwd")
        variables = try arguments.variables("env")
    }

    /// Rejects the options for sessions when recording a command, and those for commands when recording a session.
    func check(isCommand: Bool, _ arguments: ParsedArguments) throws(VTError) {
        let others = isCommand ? ["from", "to", "follow"] : ["profile", "name", "keep", "size", "cwd", "env"]
        if let option = others.first(where: { arguments.flag($0) }) {
            throw VTError(
                .usage,
                "--\(option) can be used only to record a \(isCommand ? "session" : "command")",
                hint: option == "profile" ? "use PROFILE:SESSION" : "see 'vt help record'"
            )
        }
        if !isCommand, destination == nil {
            throw VTError(.usage, "missing --output", hint: "add -o FILE, or -o - for standard output")
        }
        guard existing == .append else { return }
        guard request.format.asciicastVersion != nil else {
            throw VTError(.usage, "--append requires an asciicast, not format '\(request.format.rawValue)'")
        }
        if destination == .standardOutput { throw VTError(.usage, "--append cannot be used with standard output") }
    }

    static let specs = [
        OptionSpec(
            "output",
            short: "o",
            value: ValueSpec("FILE", completion: .file),
            summary: "write to this file, or to standard output if it is '-'",
            details: "When recording COMMAND, the default is '{session}-{start}.cast'."
        ),
        OptionSpec("follow", short: "f", summary: "continue until the session ends"),
        .startPosition,
        .endPosition,
        OptionSpec(
            "format",
            value: ValueSpec("FORMAT", choices: RecordingFormat.allCases.map(\.rawValue), defaultText: "v3"),
            summary: "write asciicast v3 or v2, the raw output, or the text that was shown",
            details: "The default is raw or txt if FILE ends in .raw or .txt, and v3 otherwise."
        ),
        OptionSpec("title", value: ValueSpec("TEXT"), summary: "set the title of the recording"),
        OptionSpec(
            "idle-limit",
            value: ValueSpec("DURATION"),
            summary: "set the limit to which players shorten pauses; recorded times are not changed"
        ),
        OptionSpec(
            "theme",
            value: ValueSpec("THEME", choices: Theme.all.map(\.name)),
            summary: "store the colors of this theme"
        ),
        OptionSpec(
            "input",
            summary: "also record input that the terminal echoes",
            details:
                "Input is never recorded while echo is off, as at a password prompt or in editors and shells, which "
                + "display the input themselves. The session must have been created with --log-input."
        ),
        OptionSpec(
            "max-size",
            value: ValueSpec("SIZE"),
            summary: "stop recording before the file exceeds this size",
            details: "COMMAND itself is not stopped."
        ),
        OptionSpec(
            "append",
            excludes: ["force"],
            summary: "append to FILE, an existing asciicast, and keep its format",
            details: "Times continue from its last event, and an incomplete last line is removed."
        ),
        OptionSpec("force", summary: "overwrite FILE if it exists"),
        OptionSpec("profile", value: ValueSpec("PROFILE", completion: .profile), summary: "run COMMAND on this server"),
        OptionSpec(
            "name",
            value: ValueSpec("NAME", defaultText: "record-ID"),
            summary: "set the name of the session for COMMAND"
        ),
        OptionSpec("keep", summary: "keep the session that ran COMMAND, with its log"),
        OptionSpec(
            "size",
            value: ValueSpec("COLSxROWS"),
            summary: "set the terminal size for COMMAND; the default is the size of this terminal, or 80x24"
        ),
        OptionSpec("cwd", value: ValueSpec("DIR", completion: .directory), summary: "run COMMAND in this directory"),
        .environment(of: "COMMAND"),
    ]
}
