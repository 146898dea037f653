import Core
import Services

/// A selected target, and how to connect to it.
struct ResolvedTarget: Sendable {
    /// Identifies the target in output; the same as the plan's name.
    var name: String
    /// The target as the user specified it, for selecting it again.
    var target: Target
    /// The profile that the target names, if any.
    var profile: Profile?
    /// Nil for this machine.
    var plan: ConnectionPlan?

    /// The maximum number of targets for which connections are kept for later commands.
    private static let muxServerLimit = 8

    /// Gives each target a unique name; duplicate targets are dropped.
    ///
    /// Unsaved servers are named by host, with user and port if necessary to distinguish them.
    static func distinguished(_ targets: [ResolvedTarget]) -> [ResolvedTarget] {
        guard targets.count > 1 else { return targets }
        let counts = Dictionary(targets.map { ($0.name, 1) }, uniquingKeysWith: +)
        var names: Set<String> = []
        return targets.map { target in
            guard target.profile == nil, case .ssh(var plan) = target.plan, counts[target.name, default: 0] > 1 else {
                return target
            }
            var target = target
            plan.name = plan.destination
            target.name = plan.name
            target.plan = .ssh(plan)
            return target
        }.filter { names.insert($0.name).inserted }
    }

    /// Prevents mux servers from being started if there are many targets, because each mux server is a process.
    static func limitMuxServers(_ targets: [ResolvedTarget]) -> [ResolvedTarget] {
        guard targets.count > muxServerLimit else { return targets }
        return targets.map { target in
            var target = target
            target.plan = target.plan?.mapSSH { $0.sharing?.startsMuxServer = false }
            return target
        }
    }
}

extension TargetOptions {
    /// Resolves the targets, without connecting to them; each has a unique name.
    ///
    /// - Throws: Errors of `targets` and `PlanResolver.resolve`.
    func resolved(in context: Context) async throws(VTError) -> [ResolvedTarget] {
        let resolver = try context.planResolver()
        var resolved: [ResolvedTarget] = []
        for target in try await targets(in: context) {
            let found = try resolver.resolve(target, options: context.connection)
            let name = found?.plan.name ?? ProfileName.local
            resolved.append(ResolvedTarget(name: name, target: target, profile: found?.profile, plan: found?.plan))
        }
        return ResolvedTarget.distinguished(resolved)
    }
}
