import Core
import Services
import System

extension ExecOptions {
    /// Resolves the targets, without connecting to them.
    func jobs(in context: Context) async throws(VTError) -> [ExecJob] {
        if fleet.script == nil, let word = possibleTarget, try context.world.profiles().load()[word] != nil {
            throw VTError(
                .usage,
                "'\(word)' is a profile, but the targets are selected by an option",
                hint: "omit '\(word)'; to run a program with this name, write '--' before it"
            )
        }
        let command = try fleet.script?.command() ?? command
        let resolved = try await targets.resolved(in: context)
        let selected = try fleet.selected(resolved, in: context.console.environment)
        let passed = passed.variables(in: context)
        var jobs: [ExecJob] = []
        for target in ResolvedTarget.limitMuxServers(selected) {
            let request = try request(command, passed, for: target.profile, on: context.console)
            let place = target.plan.map { ExecJob.Place.remote($0.starting(with: request.terminal)) } ?? .local
            jobs.append(ExecJob(name: target.name, target: target.target, place: place, request: request))
        }
        guard jobs.count <= 1 || terminal == nil else {
            throw VTError(.usage, "cannot allocate a terminal for several targets", hint: "omit --pty and RequestTTY")
        }
        return jobs
    }

    /// Returns the request: the profile's settings for commands, overridden by the options.
    private func request(
        _ command: ExecRequest.Command,
        _ passed: [EnvironmentVariable],
        for profile: Profile?,
        on console: Console
    ) throws(VTError) -> ExecRequest {
        var variables: [EnvironmentVariable] = []
        for (name, value) in (profile?.environment ?? [:]).sorted(by: { $0.key < $1.key }) {
            variables.append(try EnvironmentVariable("\(name)=\(value)"))
        }
        variables = (variables + passed + environment).lastOfEach
        var request = ExecRequest(
            command,
            directory: directory ?? profile?.cwd,
            environment: variables,
            shell: profile?.shell,
            terminal: terminal.map { ExecRequest.Terminal(type: $0.type, size: $0.size, on: console) }
        )
        let names = Set(variables.map(\.name))
        // Only servers have a list of variables that they accept.
        let isServer = (profile?.transport ?? .ssh) == .ssh
        let patterns = isServer ? offeredNames : offeredNames.filter { !Self.usualNames.contains($0) }
        let offered = console.environment.variables(matching: patterns)
        request.offeredEnvironment = offered.filter { !names.contains($0.name) }
        return request
    }
}
