import Core
import Runtime
import Services
import Storage
import System

/// A run of `vt ssh` on a resolved host.
struct SSHRun {
    let line: SSHCommandLine
    /// The options from the command line and the configuration.
    let options: HostSettings
    let context: Context
    private(set) var host: PlanResolver.ResolvedHost
    private let command: ExecRequest.Command
    /// The forwards from the command line and the configuration.
    let forwarding: ForwardRequest
    /// The profile's variables, if the host has a profile.
    private let environment: [EnvironmentVariable]

    /// Resolves the host, without connecting to it; `report` prints the lines before questions.
    init(
        _ line: SSHCommandLine,
        _ options: HostSettings,
        in context: Context,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(VTError) {
        self.line = line
        let isProfile = try context.world.profiles().load()[line.host] != nil
        let configuration = isProfile ? nil : try Self.configuration(line.configurationFile, in: context)
        let resolver = try context.planResolver(configuration: configuration)
        let existing = Self.withoutMissing(line.identities, options, in: context)
        host = try resolver.resolve(host: line.host, options: existing)
        self.options = host.options
        self.context = Self.showingBanners(context, line, host.options)
        command = try Self.command(line, host)
        let configured = host.options.report
        for note in configured.notes where !configured.warnings.contains(note) { context.diagnostics.detail(note) }
        for warning in configured.warnings { context.diagnostics.note(warning) }
        for error in configured.ignored {
            context.diagnostics.detail("ignored in the configuration: \(error.message)")
        }
        if self.options.isBatch != true, line.action == .run {
            let isSilent = SSHConfigurationText.logLevel(line, self.options) == "SILENT"
            let prompter = SSHPrompter(context.console) { lines in
                if !isSilent { report(lines) }
            }
            let limit = self.options.promptLimit ?? 3
            host.plan = host.plan.mapSSH { $0.ask(with: prompter?.prompter(limit: limit)) }
        }
        environment = try Self.variables(host.profile?.environment ?? [:])
        var settings = host.options
        // As with ssh(1), unless the configuration says otherwise.
        if line.standardForward != nil { settings.clearsForwards = settings.clearsForwards ?? true }
        var forwarding = ForwardRequest(settings, addressFamily: host.plan.ssh?.addressFamily)
        let tokens = host.tokens
        forwarding.forwards = try forwarding.forwards.map { forward throws(VTError) in
            try forward.expanded(by: tokens)
        }
        self.forwarding = forwarding
    }

    /// Returns a context that shows the banners of servers, unless the log level excludes them: as with ssh(1), on
    /// standard error even with `-E`.
    private static func showingBanners(_ context: Context, _ line: SSHCommandLine, _ options: HostSettings) -> Context {
        let isShown = !["SILENT", "FATAL", "ERROR"].contains(SSHConfigurationText.logLevel(line, options))
        let errorOutput = context.console.errorOutput
        var context = context
        context.showBanner = { banner in
            // Standard error might be closed.
            if isShown { try? errorOutput.write(Array(Prompt.cleaned(banner.utf8, limit: .max).utf8)) }
        }
        return context
    }

    /// Whether not even failures are reported.
    var isSilent: Bool { SSHConfigurationText.logLevel(line, options) == "SILENT" }

    /// Whether a question has been put to the user.
    var hasAsked: Bool { plan.ssh?.prompter?.makeActivityCheck()() ?? false }

    /// - Throws: `usage` if there is nothing that could run in the background.
    func checkBackground() throws(VTError) {
        guard case .loginShell = command, !options.runsNoProgram, line.standardForward == nil else { return }
        throw VTError(
            .usage,
            "cannot fork into background without a command to execute",
            hint: "add a command or, to only forward ports, -N"
        )
    }

    /// How to connect.
    var plan: ConnectionPlan { host.plan }

    /// How to connect over SSH.
    ///
    /// - Throws: `config` for a profile without SSH.
    func sshPlan() throws(VTError) -> SSHPlan {
        guard let plan = plan.ssh else {
            throw VTError(.config, "'\(plan.name)' is reached \(plan.transport.phrase)")
        }
        return plan
    }

    /// Removes the files of `-i` that do not exist, as ssh does.
    private static func withoutMissing(_ paths: [String], _ options: HostSettings, in context: Context) -> HostSettings
    {
        var options = options
        for path in paths {
            let home = context.console.environment["HOME"] ?? context.world.account()?.home
            let file = path.hasPrefix("~/") ? (home ?? "~") + path.dropFirst() : path
            // Other errors are reported when the file is needed.
            guard FileIdentity(at: file) == nil else { continue }
            options.remove(identity: path)
            context.diagnostics.note("identity file '\(path)' is not accessible")
        }
        return options
    }

    private static func variables(_ values: [String: String]) throws(VTError) -> [EnvironmentVariable] {
        var variables: [EnvironmentVariable] = []
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            variables.append(try EnvironmentVariable("\(name)=\(value)"))
        }
        return variables
    }

    /// The OpenSSH configuration; nil if none is to be read.
    private static func configuration(
        _ path: String?,
        in context: Context
    ) throws(VTError) -> (any SSHConfiguration)? {
        guard path?.lowercased() != "none" else { return nil }
        let reader = try context.sshConfigurationReader()
        return if let path { try reader.read(path, runsPrograms: true) } else { try reader.readAll() }
    }

    /// Whether the program gets a terminal.
    static func hasTerminal(_ line: SSHCommandLine, _ options: HostSettings, on console: Console) -> Bool {
        guard line.action == .run, line.standardForward == nil, !options.runsNoProgram else { return false }
        let canBeTerminal =
            console.input.isTerminal && options.readsNoInput != true && options.continuesInBackground != true
        let isLoginShell = line.words.isEmpty && !line.isSubsystem && options.remoteCommand == nil
        return switch options.terminal ?? .auto {
        case .no: false
        case .auto: canBeTerminal && isLoginShell
        case .yes: canBeTerminal
        case .force: true
        }
    }

    /// Returns what to run on the server.
    ///
    /// - Throws: `usage` if both the command line and the configuration contain a command.
    private static func command(
        _ line: SSHCommandLine,
        _ host: PlanResolver.ResolvedHost
    ) throws(VTError) -> ExecRequest.Command {
        let words = line.joinedWords
        if line.isSubsystem || host.options.sessionType == .subsystem { return .subsystem(words) }
        guard let command = host.options.remoteCommand else {
            return words.bytes.isEmpty ? .loginShell : .shellLine(words)
        }
        guard words.bytes.isEmpty else {
            throw VTError(
                .usage,
                "cannot run both a command and RemoteCommand",
                hint: "to ignore RemoteCommand, add -o RemoteCommand=none"
            )
        }
        return .shellLine(ByteString(try host.tokens.expand(command: command)))
    }

    /// Runs the program and returns the exit status.
    func perform() async throws(VTError) -> UInt8 {
        if let address = line.standardForward { return try await connect(to: address) }
        let status: ExitStatus
        if options.runsNoProgram || options.continuesInBackground == true || !forwarding.forwards.isEmpty {
            status = try await runForwarding()
        } else {
            status = try await withProgram { request, streams async throws(VTError) in
                let service = ExecService(context.world)
                context.atEnd { await service.close() }
                let target = Target.adHoc(Destination(user: plan.ssh?.user, host: line.host))
                let job = ExecJob(name: plan.name, target: target, place: .remote(plan), request: request)
                return try await service.run(job, streams: streams, timeout: nil, whenConnected: begin)
            }
        }
        if host.profile != nil, let profiles = try? context.profileService() {
            profiles.recordConnections(to: [plan.name], diagnostics: context.diagnostics)
        }
        return try status.known(on: plan.name).shellStatus
    }

    /// Runs LocalCommand, and sets the terminal to raw mode if the program gets one: as with ssh(1), only once vt is
    /// connected, so that questions and messages appear on a terminal in its usual mode.
    ///
    /// The runner restores the terminal.
    func begin() async throws(VTError) {
        try await runLocalCommand()
        guard Self.hasTerminal(line, options, on: context.console) else { return }
        _ = context.console.terminal.begin(raw: true, hasScreen: false)
    }

    /// Runs `body` with the program and its streams.
    func withProgram(
        _ body: (ExecRequest, ProgramStreams) async throws(VTError) -> ExitStatus
    ) async throws(VTError) -> ExitStatus {
        guard command != .subsystem("") else {
            throw VTError(.usage, "missing argument: the name of the subsystem")
        }
        let hasTerminal = Self.hasTerminal(line, options, on: context.console)
        if options.terminal == .yes, !hasTerminal {
            context.diagnostics.note("no terminal is allocated, because standard input is not a terminal")
        }
        let readsNoInput = options.readsNoInput == true || options.continuesInBackground == true
        let streams = ProgramStreams(
            input: readsNoInput ? BytesSource() : context.console.input.source(),
            // As with ssh(1), the program runs even if vt was started without standard output or standard error.
            output: context.queues.output(mayBeClosed: true),
            errorOutput: context.queues.errorOutput(),
            sizes: hasTerminal ? context.terminalSizes : nil
        )
        return try await body(request(hasTerminal: hasTerminal), streams)
    }

    /// Returns the request, which only offers variables to the server, as ssh does.
    private func request(hasTerminal: Bool) -> ExecRequest {
        let variables = (environment + (options.environment ?? [])).lastOfEach
        var request = ExecRequest(command, environment: [])
        // As with ssh, the type does not depend on whether standard input is a terminal.
        let type = context.console.environment["TERM"]
        request.terminal = hasTerminal ? ExecRequest.Terminal(type: type, on: context.console) : nil
        let names = Set(variables.map(\.name))
        // Only SSH servers restrict which variables they accept.
        let usual = plan.ssh == nil ? [] : ExecOptions.usualNames
        let offered = context.console.environment.variables(matching: usual + (options.offeredNames ?? []))
        request.offeredEnvironment = variables + offered.filter { !names.contains($0.name) }
        return request
    }
}

// MARK: - Local command

extension SSHRun {
    /// Runs LocalCommand, if it is permitted, and waits until it exits; its exit status has no effect.
    func runLocalCommand() async throws(VTError) {
        guard options.permitsLocalCommand == true, let command = options.localCommand else { return }
        let shell = context.console.environment["SHELL"].flatMap { $0.isEmpty ? nil : $0 } ?? "/bin/sh"
        let words = [shell, "-c", try host.tokens.expand(command: command)].map { ByteString($0) }
        do throws(VTError) {
            let program = ForegroundProgram(environment: context.console.environment)
            _ = try await program.run(ExecRequest(.arguments(words)))
        } catch {
            guard !error.isCancellation else { throw error }
            context.diagnostics.failure("cannot run LocalCommand: \(error.message)")
        }
    }
}

extension Forward {
    /// The forward with the tokens and variables in the paths of sockets expanded.
    fileprivate func expanded(by tokens: HostTokens) throws(VTError) -> Forward {
        var forward = self
        if case .socket(let path) = listener { forward.listener = .socket(try tokens.expand(path, as: "socket")) }
        if case .socket(let path) = target { forward.target = .socket(try tokens.expand(path, as: "socket")) }
        return forward
    }
}
