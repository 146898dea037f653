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
    let plan: PlanOptions
    let command: ExecRequest.Command
    let directory: String?
    let environment: [EnvironmentVariable]
    /// Patterns of the variables to offer to the server.
    let offeredNames: [String]
    let terminal: TerminalChoice?
    let input: Input
    let limits: ExecLimits
    let fleet: FleetOptions
    let format: Format?

    /// The properties of the terminal that the options specify.
    struct TerminalChoice: Sendable {
        var type: String?
        var size: TerminalSize?
    }

    init(_ arguments: ParsedArguments) throws(VTError) {
        targets = try TargetOptions.ofProfiles(arguments, operand: "TARGET")
        var ssh = SSHOptions()
        for text in arguments.values("option") { try ssh.apply(text) }
        let runsCommands = ssh.remoteCommand != nil || ssh.permitsLocalCommand && ssh.localCommand != nil
        guard ssh.forwarding.forwards.isEmpty, ssh.sessionType == .standard, !ssh.continuesInBackground, !runsCommands
        else {
            throw VTError(
                .usage,
                "'vt exec' neither forwards connections, nor runs other commands, nor continues in the background",
                hint: "use 'vt ssh' with the same options"
            )
        }
        plan = try Self.plan(arguments, ssh.connection)
        fleet = try FleetOptions(arguments)
        command =
            arguments.hasSeparator
            ? .arguments(arguments.commandWords)
            : .shellLine(arguments.commandWords.joined(separator: " "))
        directory = arguments.value("cwd")
        environment =
            try ssh.environment + arguments.variables("env")
        offeredNames = Self.usualNames + ssh.offeredNames + arguments.values("send-env")
        let requestsTerminal = ssh.terminal == .yes || ssh.terminal == .force
        let hasTerminal = arguments.flag("pty") || requestsTerminal && !arguments.flag("no-pty")
        let size = try arguments.terminalSize("size")
        let term = arguments.value("term")
        guard hasTerminal || (size == nil && term == nil) else {
            throw VTError(.usage, "--term and --size require --pty", hint: "add --pty")
        }
        terminal = hasTerminal ? TerminalChoice(type: term, size: size) : nil
        input =
            switch fleet.script?.path ?? arguments.value("stdin") {
            case nil where arguments.flag("no-stdin") || ssh.readsNoInput || targets.readsStandardInput: .none
            case nil: .standardInput
            case "-": .standardInput
            case let path?: .file(path)
            }
        guard arguments.value("stdin") != "-" || !targets.readsStandardInput else {
            throw VTError(.usage, "standard input cannot be both the list of targets and the input of the command")
        }
        limits = ExecLimits(
            parallel: try arguments.number("parallel", in: 1...10_000) ?? ExecLimits.standard.parallel,
            timeout: try arguments.duration("timeout"),
            failFast: arguments.flag("fail-fast")
        )
        if let directory = fleet.outputDirectory {
            format = .files(directory)
        } else {
            format = arguments.flag("gather") ? .gathered : arguments.flag("prefix") ? .prefixed : nil
        }
    }

    /// Returns the options for connecting; vt's own options take precedence over those given with -o.
    private static func plan(_ arguments: ParsedArguments, _ ssh: PlanOptions) throws(VTError) -> PlanOptions {
        var options = ssh
        options.port = try arguments.port("port") ?? ssh.port
        options.user = try arguments.user("user") ?? ssh.user
        options.identities = arguments.values("identity") + ssh.identities
        if arguments.flag("ipv4") { options.addressFamily = .ipv4 }
        if arguments.flag("ipv6") { options.addressFamily = .ipv6 }
        options.password = try SecretOptions.source(.password, in: arguments)
        options.passphrase = try SecretOptions.source(.passphrase, in: arguments)
        options.connectTimeout = try arguments.duration("connect-timeout") ?? ssh.connectTimeout
        if arguments.flag("no-share") { options.shareTimeout = .zero }
        return options
    }
}
