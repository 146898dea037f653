import Arguments
import Core
import Services

/// The parsed options and operands of `vt exec`.
struct ExecOptions: Sendable {
    /// How output is printed.
    enum Format: Sendable {
        /// The program's output, unmodified; only for a single target.
        case direct
        case prefixed
        case gathered
        case files(OutputDirectory)
    }

    /// The variables that ssh(1) sends by default on Debian and other systems (SendEnv in ssh_config(5)).
    static let usualNames = ["LANG", "LC_*"]

    /// The source of the input.
    enum Input: Sendable {
        case standardInput
        case none
        case file(String)
    }

    let targets: TargetOptions

    private static let ipv4 = Option.flag(
        "ipv4",
        short: "4",
        excludes: [ipv6],
        summary: "connect only to IPv4 addresses"
    )
    private static let ipv6 = Option.flag("ipv6", short: "6", summary: "connect only to IPv6 addresses")
    let command: ExecRequest.Command

    private static let cwd = Option("cwd", .text("DIR"), summary: "run the command in this directory")
    let directory: String?

    private static let env = SharedOptions.environment(
        of: "the command",
        details: "The value never appears in a command line on the server: it is sent as an environment request, or, "
            + "if the server rejects that (see AcceptEnv in sshd_config(5)), to sh on standard input."
    )
    let environment: [EnvironmentVariable]

    private static let passEnv = PassedVariables.option(
        to: "command",
        details: "Like --env, but the value appears in no command line on this machine either, so it can be a secret. "
    )
    let passed: PassedVariables

    private static let sendEnv = Option(
        "send-env",
        .text("NAME", completion: .environmentName),
        summary: "send this environment variable to the server",
        details:
            "NAME may contain the wildcards * and ?. Variables that the server rejects are skipped, with a note if "
            + "NAME is exact; --pass-env passes them. LANG and LC_* are always sent."
    ).repeatable()
    /// Patterns of the variables to offer to the server.
    let offeredNames: [String]
    /// The names given with --send-env that contain no wildcards.
    let exactNames: Set<String>

    static let pty = Option.flag(
        "pty",
        short: "t",
        excludes: [noPty],
        summary: "allocate a terminal for the program",
        details: "Standard output and standard error are then merged. If standard input is a terminal, it is set to "
            + "raw mode."
    ).repeatable()
    private static let noPty = Option.flag("no-pty", short: "T", summary: "do not allocate a terminal (the default)")
        .repeatable()
    private static let term = Option(
        "term",
        .text("TERM"),
        default: "$TERM, or xterm-256color if there is no terminal",
        summary: "set the terminal type"
    )
    private static let size = Option(
        "size",
        .terminalSize,
        default: "the size of this terminal, or 80x24",
        summary: "set the terminal size"
    )
    let terminal: TerminalChoice?

    static let stdin = Option(
        "stdin",
        .file,
        default: "-",
        excludes: [noStdin],
        summary: "read input from this file, or from standard input if FILE is '-'"
    )
    static let noStdin = Option.flag(
        "no-stdin",
        short: "n",
        summary: "give the command no input",
        details: "In a 'while read' loop, this keeps the command from consuming the loop's input."
    ).repeatable()
    let input: Input

    private static let parallel = Option(
        "parallel",
        .number(in: 1...10_000),
        default: "64",
        summary: "run on at most N targets at once"
    )
    private static let timeout = Option(
        "timeout",
        .duration,
        summary: "time out if a target has not finished after this time"
    )
    private static let failFast = Option.flag(
        "fail-fast",
        excludes: [maxFailures, stopOnFailure],
        summary: "stop the command on all targets as soon as one fails",
        details:
            "In the list of failures, 'aborted' means that the command was started on a target and has been ended, "
            + "and 'not run' that it was not started."
    )
    private static let maxFailures = Option(
        "max-failures",
        ValueKind("N", parse: TargetLimit.init(parsing:)),
        summary: "like --fail-fast, but only when N targets, or, with N%, N percent of them, have failed"
    )
    private static let stopOnFailure = Option.flag(
        "stop-on-failure",
        summary: "when a target fails, start the command on no further targets, and let it finish on the others",
        details: "With --max-failures, when that many targets have failed. With --rolling, this includes targets of "
            + "the same batch that wait because of --parallel."
    )
    /// The first word of the command if it takes the place of TARGET, which an option replaces.
    let possibleTarget: String?
    let limits: ExecLimits
    let fleet: FleetOptions

    static let gather = Option.flag(
        "gather",
        excludes: [prefix],
        summary: "print output when all targets have finished, and identical output only once",
        details: "With --json, the results are printed as one JSON document per target, each on its own line."
    )
    static let prefix = Option.flag(
        "prefix",
        summary: "prefix each line with the name of its target, even with one target"
    )
    let format: Format?

    // Options that programs give to ssh(1).
    private static let escape = Option(
        "escape",
        short: "e",
        .text("CHAR", choices: ["none"]),
        summary: "ignored, for compatibility with ssh(1)"
    )
    private static let noX11 = Option.flag(
        "no-x11",
        short: "x",
        summary: "ignored, for compatibility with ssh(1): X11 is never forwarded"
    ).repeatable()
    private static let noAgentForwarding = Option.flag(
        "no-agent-forwarding",
        short: "a",
        summary: "ignored, for compatibility with ssh(1): the agent is never forwarded"
    ).repeatable()
    private static let compression = Option.flag(
        "compression",
        short: "C",
        summary: "ignored, for compatibility with ssh(1)"
    ).repeatable()

    static let target = Operand(
        "TARGET",
        completion: .target,
        missingHint: "TARGET is [USER@]HOST or a profile; see 'vt help exec'"
    ).optional(omittedWith: TargetOptions.replacements + [FleetOptions.merge])

    static let common: [any CommandOption] = [pty, timeout, TargetOptions.tag, gather, FleetOptions.outputDir]

    static let options: [any CommandOption] =
        [pty, term, size, cwd, env, passEnv, sendEnv, stdin, noStdin, FleetOptions.script, timeout]
        + [SharedOptions.connectTimeout, SharedOptions.noShare, ipv4, ipv6]
        + .under(
            "Several targets",
            [parallel] + BatchOptions.options + [failFast, maxFailures, stopOnFailure] + FleetOptions.runs
        )
        + .under("Output", [gather, prefix] + FleetOptions.outputs)
        + TargetOptions.profileOptions + TargetOptions.options + ConnectionOptions.optionsWithLetters
        + .under("For compatibility with ssh(1)", [noPty, escape, noX11, noAgentForwarding, compression])

    /// The properties of the terminal that the options specify.
    struct TerminalChoice: Sendable {
        var type: String?
        var size: TerminalSize?
    }

    init(_ call: Call) throws(VTError) {
        targets = try TargetOptions.ofProfiles(call, words: call[Self.target].map { [$0] } ?? [])
        let ssh = try ConnectionOptions.sshOptions(call)
        let runsCommands = ssh.remoteCommand != nil || ssh.permitsLocalCommand == true && ssh.localCommand != nil
        let isSession = ssh.sessionType ?? .standard == .standard && ssh.continuesInBackground != true
        guard ssh.forwards == nil, isSession, !runsCommands else {
            throw VTError(
                .usage,
                "'vt exec' neither forwards connections, nor runs other commands, nor continues in the background",
                hint: "use 'vt ssh' with the same options"
            )
        }
        fleet = try FleetOptions(call)
        command =
            call.hasSeparator
            ? .arguments(call.commandWords)
            : .shellLine(call.commandWords.joined(separator: " "))
        let omitsTarget = TargetOptions.replacements.contains(where: call.contains)
        possibleTarget = omitsTarget && !call.hasSeparator ? call.commandWords.first?.text : nil
        directory = call[Self.cwd]
        environment = (ssh.environment ?? []) + call[Self.env]
        passed = PassedVariables(call)
        let names = call[Self.sendEnv]
        offeredNames = Self.usualNames + (ssh.offeredNames ?? []) + names
        exactNames = Set(names.filter(EnvironmentVariable.isName))
        let requestsTerminal = ssh.terminal == .yes || ssh.terminal == .force
        let hasTerminal = call[Self.pty] || requestsTerminal && !call[Self.noPty]
        let size = call[Self.size]
        let term = call[Self.term]
        guard hasTerminal || (size == nil && term == nil) else {
            throw VTError(.usage, "--term and --size require --pty", hint: "add --pty")
        }
        terminal = hasTerminal ? TerminalChoice(type: term, size: size) : nil
        guard !hasTerminal || !fleet.showsSummary else {
            throw VTError(.usage, "--summary cannot be used with a terminal", hint: "omit --pty and RequestTTY")
        }
        let file = call[Self.stdin]
        input =
            switch fleet.script?.path ?? file {
            case nil where call[Self.noStdin] || ssh.readsNoInput == true || targets.readsStandardInput: .none
            case nil: .standardInput
            case "-": .standardInput
            case let path?: .file(path)
            }
        guard file != "-" || !targets.readsStandardInput else {
            throw VTError(.usage, "standard input cannot be both the list of targets and the input of the command")
        }
        let failsFast = call[Self.failFast] || call[Self.stopOnFailure]
        limits = ExecLimits(
            parallel: call[Self.parallel] ?? ExecLimits.standardParallel,
            timeout: call[Self.timeout],
            failures: call[Self.maxFailures] ?? (failsFast ? .count(1) : nil),
            finishesRunning: call[Self.stopOnFailure],
            batches: try BatchOptions.batches(call)
        )
        if let directory = fleet.outputDirectory {
            format = .files(directory)
        } else {
            format = call[Self.gather] ? .gathered : call[Self.prefix] ? .prefixed : nil
        }
    }

    /// Returns the settings for connections, which replace those of profiles.
    static func connection(_ call: Call) throws(VTError) -> HostSettings {
        let ssh = try ConnectionOptions.sshOptions(call)
        var options = try ConnectionOptions.plan(call, ssh)
        if call[ipv4] { options.addressFamily = .ipv4 }
        if call[ipv6] { options.addressFamily = .ipv6 }
        return options
    }
}
