import Core
import POSIX
import Services

extension ExecOptions {
    /// Resolves the targets, without connecting to them.
    func jobs(in context: Context) async throws(VTError) -> [ExecJob] {
        let resolver = try context.planResolver()
        let command = try fleet.script?.command() ?? command
        var found: [(job: ExecJob, isSaved: Bool)] = []
        for target in try await targets.targets(in: context) {
            guard case (let profile, var plan)? = try resolver.resolve(target, options: plan) else {
                let request = try request(command, for: nil, on: context.console)
                let job = ExecJob(name: ProfileName.local, target: target, place: .local, request: request)
                found.append((job, isSaved: true))
                continue
            }
            let request = try request(command, for: profile, on: context.console)
            plan.via?.terminal = request.terminal
            let job = ExecJob(name: plan.name, target: target, place: .remote(plan), request: request)
            found.append((job, isSaved: profile != nil))
        }
        let jobs = Self.limitKeepers(try fleet.selected(Self.distinguished(found), in: context.console.environment))
        guard jobs.count <= 1 || terminal == nil else {
            throw VTError(.usage, "cannot allocate a terminal for several targets", hint: "omit --pty and RequestTTY")
        }
        return jobs
    }

    /// Gives each job a unique name that identifies its output; duplicate targets are dropped.
    ///
    /// Unsaved servers are named by host, with user and port if necessary to distinguish them.
    private static func distinguished(_ found: [(job: ExecJob, isSaved: Bool)]) -> [ExecJob] {
        let counts = Dictionary(found.map { ($0.job.name, 1) }, uniquingKeysWith: +)
        var names: Set<String> = []
        return found.map { job, isSaved in
            guard !isSaved, counts[job.name, default: 0] > 1, case .remote(var plan) = job.place else { return job }
            plan.name = "\(plan.user)@\(plan.endpoint)"
            var job = job
            (job.name, job.place) = (plan.name, .remote(plan))
            return job
        }.filter { names.insert($0.name).inserted }
    }

    /// The maximum number of targets for which connections are kept for later commands.
    private static let keeperLimit = 8

    /// Disables the start of keepers if there are many targets, because each is a process of its own.
    private static func limitKeepers(_ jobs: [ExecJob]) -> [ExecJob] {
        guard jobs.count > keeperLimit else { return jobs }
        return jobs.map { job in
            guard case .remote(var plan) = job.place else { return job }
            plan.sharing?.startsKeeper = false
            var job = job
            job.place = .remote(plan)
            return job
        }
    }

    /// Returns the request: the profile's settings for commands, overridden by the options.
    private func request(
        _ command: ExecRequest.Command,
        for profile: Profile?,
        on console: Console
    ) throws(VTError) -> ExecRequest {
        var variables: [EnvironmentVariable] = []
        for (name, value) in (profile?.environment ?? [:]).sorted(by: { $0.key < $1.key }) {
            variables.append(try EnvironmentVariable("\(name)=\(value)"))
        }
        variables = (variables + environment).lastOfEach
        var request = ExecRequest(
            command,
            directory: directory ?? profile?.cwd,
            environment: variables,
            shell: profile?.shell,
            terminal: terminal.map { ExecRequest.Terminal(type: $0.type, size: $0.size, on: console) }
        )
        let names = Set(variables.map(\.name))
        // Only servers have a list of variables that they accept.
        let patterns = profile?.via == nil ? offeredNames : offeredNames.filter { !Self.usualNames.contains($0) }
        let offered = console.environment.variables(matching: patterns)
        request.offeredEnvironment = offered.filter { !names.contains($0.name) }
        return request
    }
}
