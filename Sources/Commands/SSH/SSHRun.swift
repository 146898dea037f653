import Core
import POSIX
import Services

/// A run of `vt ssh` on a resolved host.
struct SSHRun {
    let line: SSHCommandLine
    let options: SSHOptions
    let context: Context
    let plan: ConnectionPlan
    private let isSaved: Bool
    /// The forwards from the command line and the configuration.
    let forwarding: ForwardRequest
    /// The profile's variables, if the host has a profile.
    private let environment: [EnvironmentVariable]
    /// The variables to set on the server, given on the command line or in the configuration.
    private let setVariables: [EnvironmentVariable]
    /// Patterns of the variables to offer to the server.
    private let offeredNames: [String]

    /// Resolves the host, without connecting to it.
    init(_ line: SSHCommandLine, _ options: SSHOptions, in context: Context) throws(VTError) {
        self.line = line
        self.options = options
        self.context = context
        let isProfile = try context.dependencies.profiles().load()[line.host] != nil
        let configuration = isProfile ? nil : try Self.configuration(line.configurationFile, in: context)
        let resolver = try context.planResolver(configuration: configuration)
        let host = try resolver.resolve(host: line.host, options: options.connection)
        let warnings = host.settings?.warnings ?? []
        for note in host.settings?.notes ?? [] where !warnings.contains(note) { context.diagnostics.detail(note) }
        for warning in warnings { context.diagnostics.note(warning) }
        plan = host.plan
        isSaved = host.profile != nil
        environment = try Self.variables(host.profile?.environment ?? [:])
        // As with all options, the first occurrence applies; the command line comes before the configuration.
        setVariables =
            options.environment.isEmpty ? try Self.variables(host.settings?.environment ?? [:]) : options.environment
        offeredNames = options.offeredNames + (host.settings?.offeredNames ?? [])
        forwarding = ForwardRequest(
            options.forwarding.completed(by: host.settings?.forwarding ?? ForwardSettings()),
            addressFamily: plan.addressFamily
        )
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
        let reader = try context.dependencies.sshConfiguration()
        return if let path { try reader.read(path, runsPrograms: true) } else { try reader.readAll() }
    }

    /// Whether the program gets a terminal.
    static func hasTerminal(_ line: SSHCommandLine, _ options: SSHOptions, on console: Console) -> Bool {
        guard line.action == .run, line.standardForward == nil, !options.runsNoProgram else { return false }
        let canBeTerminal = console.input.isTerminal && !options.readsNoInput && !options.continuesInBackground
        return switch options.terminal ?? .auto {
        case .no: false
        case .auto: canBeTerminal && command(line) == .loginShell
        case .yes: canBeTerminal
        case .force: true
        }
    }

    private static func command(_ line: SSHCommandLine) -> ExecRequest.Command {
        let words = line.joinedWords
        if line.isSubsystem { return .subsystem(words) }
        return words.bytes.isEmpty ? .loginShell : .shellLine(words)
    }

    /// Runs the program and returns the exit status.
    func perform() async throws(VTError) -> UInt8 {
        if let address = line.standardForward { return try await connect(to: address) }
        let status: ExitStatus
        if options.runsNoProgram || options.continuesInBackground || !forwarding.forwards.isEmpty {
            status = try await runForwarding()
        } else {
            status = try await withProgram { request, streams async throws(VTError) in
                let service = context.execService()
                context.atEnd { await service.close() }
                let target = Target.adHoc(Destination(user: plan.user, host: line.host))
                let job = ExecJob(name: plan.name, target: target, place: .remote(plan), request: request)
                return try await service.run(job, streams: streams, timeout: nil)
            }
        }
        if isSaved, let profiles = try? context.profileService() {
            profiles.noteConnections(to: [plan.name], diagnostics: context.diagnostics)
        }
        return status.shellStatus
    }

    /// Runs `body` with the program and its streams, and with the terminal in raw mode if the program gets one.
    func withProgram(
        _ body: (ExecRequest, ProgramStreams) async throws(VTError) -> ExitStatus
    ) async throws(VTError) -> ExitStatus {
        guard !line.isSubsystem || !line.joinedWords.bytes.isEmpty else {
            throw VTError(.usage, "missing argument: the name of the subsystem")
        }
        let hasTerminal = Self.hasTerminal(line, options, on: context.console)
        if options.terminal == .yes, !hasTerminal {
            context.diagnostics.note("no terminal is allocated, because standard input is not a terminal")
        }
        let readsNoInput = options.readsNoInput || options.continuesInBackground
        let streams = ProgramStreams(
            input: readsNoInput ? EmptySource() : context.console.input.source(),
            // As with ssh(1), the program runs even if vt was started without standard output or standard error.
            output: context.queues.output(mayBeClosed: true),
            errorOutput: context.queues.errorOutput(mayBeClosed: true),
            sizes: hasTerminal ? context.terminalSizes : nil
        )
        let request = request(hasTerminal: hasTerminal)
        return try await context.withRawTerminal(if: hasTerminal) { () async throws(VTError) in
            try await body(request, streams)
        }
    }

    /// Returns the request, which only offers variables to the server, as ssh does.
    private func request(hasTerminal: Bool) -> ExecRequest {
        let variables = (environment + setVariables).lastOfEach
        var request = ExecRequest(Self.command(line), environment: [])
        request.terminal = hasTerminal ? ExecRequest.Terminal(on: context.console) : nil
        let names = Set(variables.map(\.name))
        // Only SSH servers restrict which variables they accept.
        let usual = plan.via == nil ? ExecOptions.usualNames : []
        let offered = context.console.environment.variables(matching: usual + offeredNames)
        request.offeredEnvironment = variables + offered.filter { !names.contains($0.name) }
        return request
    }
}

// MARK: - Configuration

extension SSHRun {
    /// The settings for the host, in the format of `ssh -G`.
    var configurationText: String {
        var lines = [
            "host \(line.host)",
            "user \(plan.user)",
            "hostname \(plan.endpoint.host)",
            "port \(plan.endpoint.port)",
            "addressfamily \(plan.addressFamily.map { $0 == .ipv4 ? "inet" : "inet6" } ?? "any")",
            "batchmode yes",
            "connecttimeout \(plan.limits.connectTimeout.components.seconds)",
            "serveraliveinterval \(plan.limits.keepAliveInterval.components.seconds)",
            "serveralivecountmax \(plan.limits.keepAliveCount)",
            "stricthostkeychecking \(plan.hostKeyPolicy == .acceptNew ? "accept-new" : "true")",
            "requesttty \((options.terminal ?? .auto).rawValue)",
        ]
        lines += plan.credentials.identities.map { "identityfile \($0.path)" }
        let lookup = plan.hostKeyLookup
        if let alias = lookup.alias { lines.append("hostkeyalias \(alias)") }
        let files = [("user", lookup.userFiles ?? lookup.additionalFile.map { [$0] }), ("global", lookup.globalFiles)]
        for case (let owner, let paths?) in files {
            lines.append("\(owner)knownhostsfile \(paths.isEmpty ? "none" : paths.joined(separator: " "))")
        }
        switch plan.route {
        case .direct: break
        case .jump: lines.append("proxyjump \(hops(of: plan).joined(separator: ","))")
        case .proxyCommand(let command): lines.append("proxycommand \(command)")
        }
        return lines.joined(separator: "\n")
    }

    /// The jump hosts, in connection order.
    private func hops(of plan: ConnectionPlan) -> [String] {
        guard case .jump(let hop) = plan.route else { return [] }
        return hops(of: hop) + ["\(hop.user)@\(hop.endpoint)"]
    }
}
