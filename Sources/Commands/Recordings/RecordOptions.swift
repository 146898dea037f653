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

    static let follow = Option.flag("follow", short: "f", summary: "continue until the session ends")
    private static let input = Option.flag(
        "input",
        summary: "also record input that the terminal echoes",
        details: "Input is never recorded while echo is off, as at a password prompt or in editors and shells, which "
            + "display the input themselves. The session must have been created with --log-input."
    )
    private static let title = Option("title", .text("TEXT"), summary: "set the title of the recording")
    private static let idleLimit = Option(
        "idle-limit",
        .duration,
        summary: "set the limit to which players shorten pauses; recorded times are not changed"
    )
    private static let theme = Option(
        "theme",
        .text("THEME", choices: Theme.all.map(\.name)),
        summary: "store the colors of this theme"
    )
    private static let maxSize = Option(
        "max-size",
        .byteCount,
        summary: "stop recording before the file exceeds this size",
        details: "COMMAND itself is not stopped."
    )
    private static let format = Option(
        "format",
        .choice("FORMAT", RecordingFormat.allCases),
        default: "v3",
        summary: "write asciicast v3 or v2, the raw output, or the text that was shown",
        details: "The default is raw or txt if FILE ends in .raw or .txt, and v3 otherwise."
    )
    var request = RecordRequest()

    private static let turn = Option(
        "turn",
        .turn,
        excludes: [SharedOptions.from, SharedOptions.to, follow],
        summary: "record this turn; -1 is the last one, see 'vt help offsets'"
    )
    /// The turn to record; nil for the part that the request specifies.
    let turn: Int64?

    static let output = Option(
        "output",
        short: "o",
        ValueKind("FILE", completion: .file, parse: outputDestination),
        summary: "write to this file, or to standard output if it is '-'",
        details: "When recording COMMAND, the default is '{session}-{start}.cast'."
    )
    let destination: Destination?

    private static let append = Option.flag(
        "append",
        excludes: [force],
        summary: "append to FILE, an existing asciicast, and keep its format",
        details: "Times continue from its last event, and an incomplete last line is removed."
    )
    private static let force = Option.flag("force", summary: "overwrite FILE if it exists")
    let existing: Existing

    // Options for the session of a command.
    private static let profile = Option(
        "profile",
        .text("PROFILE", completion: .profile),
        summary: "run COMMAND on this server"
    )
    let profile: String?

    private static let name = Option(
        "name",
        ValueKind("NAME", parse: SessionName.init),
        default: "record-ID",
        summary: "set the name of the session for COMMAND"
    )
    let name: SessionName?

    private static let keep = Option.flag("keep", summary: "keep the session that ran COMMAND, with its log")
    let keeps: Bool

    private static let size = Option(
        "size",
        .terminalSize,
        summary: "set the terminal size for COMMAND; the default is the size of this terminal, or 80x24"
    )
    let size: TerminalSize?

    private static let cwd = Option(
        "cwd",
        .text("DIR", completion: .directory),
        summary: "run COMMAND in this directory"
    )
    let directory: String?

    private static let env = SharedOptions.environment(of: "COMMAND")
    let variables: [EnvironmentVariable]

    private static let passEnv = PassedVariables.option(to: "command")
    let passed: PassedVariables

    static let script = Option(
        "script",
        .text("FILE", completion: .file),
        summary: "perform the steps in this file, or in standard input if it is '-', instead of connecting the terminal"
    )
    /// The file with the steps to perform; nil without a script.
    let script: String?

    private static let typingDelay = Option(
        "typing-delay",
        .duration,
        default: "60ms",
        summary: "with --script, pause this long after each key, on average",
        details: "The pauses are from half to one and a half times as long, and the same in each run."
    )
    let typingDelay: Duration

    private static let timeout = Option(
        "timeout",
        .duration,
        summary: "with --script, stop if a step other than 'sleep' takes longer than this"
    )
    let timeout: Duration?

    private static let markerKey = Option(
        "marker-key",
        ValueKind("KEY", parse: KeyChoice.init),
        default: DetachKey.standard.text,
        summary: "add a marker when this key and then m are pressed",
        details: "KEY is written as for 'vt attach --detach-key', and VT_DETACH_KEY sets the default here as well."
    )
    /// Nil for the default.
    let markerKey: KeyChoice?

    static let common: [any CommandOption] = [output, follow, turn, input, script]
    static let options: [any CommandOption] =
        [output, follow] + positions + [format, title, idleLimit, theme, input, maxSize, append, force] + commandOptions
    private static let positions: [any CommandOption] = [SharedOptions.from, SharedOptions.to, turn]
    private static let commandOptions: [any CommandOption] = [
        profile, name, keep, size, cwd, env, passEnv, markerKey, script, typingDelay, timeout,
    ]

    init(_ call: Call) throws(VTError) {
        request.start = call[SharedOptions.from]
        request.end = call[SharedOptions.to]
        turn = call[Self.turn]
        request.follows = call[Self.follow]
        request.includesInput = call[Self.input]
        request.title = call[Self.title]
        request.idleLimit = call[Self.idleLimit]
        request.theme = call[Self.theme]
        request.limitBytes = call[Self.maxSize]
        destination = call[Self.output]
        if let format = call[Self.format] {
            request.format = format
        } else if case .file(let name) = destination {
            request.format = try RecordingFormat(fileName: name.template) ?? .v3
        }
        existing = call[Self.append] ? .append : call[Self.force] ? .replace : .fail
        profile = call[Self.profile]
        name = call[Self.name]
        keeps = call[Self.keep]
        size = call[Self.size]
        directory = call[Self.cwd]
        variables = call[Self.env]
        passed = PassedVariables(call)
        markerKey = call[Self.markerKey]
        script = call[Self.script]
        typingDelay = call[Self.typingDelay] ?? .milliseconds(60)
        timeout = call[Self.timeout]
        for option in [Self.typingDelay, Self.timeout] where call.contains(option) && script == nil {
            throw VTError(.usage, "--\(option.long) requires --script")
        }
    }

    private static func outputDestination(_ text: String) throws(VTError) -> Destination {
        text == "-" ? .standardOutput : .file(try RecordingName(parsing: text))
    }

    /// Rejects the options for sessions when recording a command, and those for commands when recording a session.
    func check(isCommand: Bool, _ call: Call) throws(VTError) {
        let others = isCommand ? Self.positions + [Self.follow] : Self.commandOptions
        if let option = others.first(where: call.contains)?.long {
            throw VTError(
                .usage,
                "--\(option) can be used only to record a \(isCommand ? "session" : "command")",
                hint: option == Self.profile.long ? "use PROFILE:SESSION" : "see 'vt help record'"
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
}
