import Arguments
import Core
import Services

/// The options of a new session, which `vt sessions create` and `run` share.
struct NewSessionOptions {
    static let cwd = Option("cwd", .text("DIR", completion: .directory), summary: "start in this directory")
    static let env = SharedOptions.environment(of: "the session")
    private static let size = Option(
        "size",
        .terminalSize,
        summary: "set the terminal size; the default is the size of this terminal, or 80x24"
    )
    private static let term = Option(
        "term",
        ValueKind("TERM", parse: terminalType),
        default: "xterm-256color",
        summary: "set the terminal type"
    )
    private static let tag = Option("tag", ValueKind("TAG", parse: Tag.parse), summary: "add a tag to the session")
        .repeatable()
    private static let logMax = Option(
        "log-max",
        .byteCount,
        default: "64M",
        summary: "keep at least the last SIZE of output; discard older output"
    )
    private static let logInput = Option.flag(
        "log-input",
        summary: "log input, for recordings with --input",
        details: "Input is logged only while the terminal echoes it: passwords are not logged, nor are keys typed into "
            + "editors and shells, which display the input themselves."
    )
    private enum ShellIntegration: String, CaseIterable {
        case auto, off
    }

    private static let shellIntegration = Option(
        "shell-integration",
        .choice("WHEN", ShellIntegration.allCases),
        default: "auto",
        summary: "choose whether an interactive shell reports its prompts and commands to vt",
        details: "With 'auto', bash 4.4 or later, zsh, fish, dash and busybox ash are started with a hook, which 'vt "
            + "sessions exec' needs, and which 'vt sessions show' and 'wait --prompt' use. The files of the user are read "
            + "as usual, and not changed."
    )
    private static let ifExists = Option(
        "if-exists",
        .choice("WHAT", SessionCreation.IfExists.allCases),
        default: "fail",
        summary: "choose what to do if a session with this name exists",
        details:
            "'ok' uses a live session once its program is running, and replaces an ended session. 'replace' ends and removes the existing session first, including processes left by a lost "
            + "session."
    )
    static let keepFor: Option<Duration?> = Option(
        "keep-for",
        .duration(atLeast: .seconds(1)),
        summary: "remove the session this long after it has ended, such as 7d",
        details: "Expired sessions are removed the next time that you run 'vt sessions create', 'list', or 'cleanup' "
            + "with a filter, on that machine. 'create' looks for such sessions at most once a minute. A lost session "
            + "is removed this long after its loss was noticed, but never while its processes are running."
    )
    private static let autoSnapshot = Option.flag(
        "auto-snapshot",
        summary: "take a snapshot of the work tree before each command that vt starts in the shell",
        details: "Commands started by 'vt sessions exec', or by 'send' with Enter at the prompt, are preceded by a "
            + "snapshot, as with 'vt snapshot create', if a file has changed since the last one. One is taken when the "
            + "session is created, too, and is kept. If no snapshot can be taken, this is reported, but the command is "
            + "run. See 'vt rollback' and 'vt diff'."
    )
    private static let keepSnapshots = Option(
        "keep-snapshots",
        .number("NUM", in: 1...1_000),
        default: "10",
        summary: "keep this many of the snapshots taken before commands"
    )
    private static let requireSurvive = Option.flag(
        "require-survive",
        summary: "fail unless the session is certain to survive a logout"
    )

    /// The name of the session, on this machine or a server.
    static let name = Operand("NAME", parse: SessionReference.init(parsing:))

    /// All options but `--rm`, whose meaning depends on the command.
    static let common: [any CommandOption] = [cwd, env, tag, ifExists, keepFor]
    static let options: [any CommandOption] = [
        cwd, env, PassedVariables.option, size, term, tag, logMax, logInput, shellIntegration, ifExists, keepFor,
        autoSnapshot, keepSnapshots, requireSurvive,
    ]

    private let creation: SessionCreation
    private let passed: PassedVariables
    private let size: TerminalSize?

    /// - Throws: `usage` if the name is not valid for a session.
    init(_ call: Call) throws(VTError) {
        var creation = SessionCreation(name: try SessionName(call[Self.name].session), command: call.commandWords)
        creation.directory = call[Self.cwd]
        creation.variables = call[Self.env]
        creation.terminalType = call[Self.term] ?? creation.terminalType
        creation.tags = call[Self.tag]
        creation.logLimitBytes = call[Self.logMax].map { UInt64($0) } ?? creation.logLimitBytes
        creation.logsInput = call[Self.logInput]
        creation.integratesShell = call[Self.shellIntegration] != .off
        creation.keepFor = call[Self.keepFor]
        creation.ifExists = call[Self.ifExists] ?? creation.ifExists
        let kept = call[Self.keepSnapshots]
        creation.automaticSnapshots = call[Self.autoSnapshot] ? kept ?? 10 : nil
        creation.mustSurvive = call[Self.requireSurvive]
        self.creation = creation
        passed = PassedVariables(call)
        size = call[Self.size]
    }

    /// The request for the session, with the variables and the size of this terminal.
    func creation(in context: Context) -> SessionCreation {
        var creation = creation
        creation.variables = passed.variables(in: context) + creation.variables
        creation.size = size ?? context.console.terminalSize ?? creation.size
        return creation
    }

    private static func terminalType(_ text: String) throws(VTError) -> String {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21..<0x7f).contains($0) && $0 != UInt8(ascii: "/") }) else {
            throw VTError(.usage, "invalid terminal type '\(text)'", hint: "see term(7)")
        }
        return text
    }
}
