import Arguments
import Core
import Services

/// The options of commands that request servers' host keys.
struct ProbeOptions: Sendable {
    let selection: HostSelection

    private static let jump = Option(
        "jump",
        short: "J",
        .text("PROFILE", completion: .profile),
        summary: "connect through this jump host"
    )
    private let jump: String?

    private static let connectTimeout = Option(
        "connect-timeout",
        .duration,
        default: "15s",
        summary: "time out if a server has not responded after this time"
    )
    private let connectTimeout: Duration?

    static let options: [any CommandOption] = [HostSelection.tag, jump, connectTimeout]

    init(_ call: Call) {
        selection = HostSelection(call)
        jump = call[Self.jump]
        connectTimeout = call[Self.connectTimeout]
    }

    /// Returns how to connect to each server: as its profile specifies, except that --jump replaces its jump host.
    func plans(for hosts: [HostSelection.Host], in context: Context) throws(VTError) -> [SSHPlan] {
        let resolver = try context.planResolver()
        return try hosts.map { host throws(VTError) in
            try resolver.probe(host.endpoint, of: host.profile, through: jump, connectTimeout: connectTimeout)
        }
    }

    /// Contacts all selected servers; returns one outcome for each.
    func forEach<Result: Sendable>(
        in context: Context,
        _ body: @escaping @Sendable (SSHPlan) async throws(VTError) -> Result
    ) async throws(VTError) -> (hosts: [HostSelection.Host], outcomes: [Swift.Result<Result, VTError>]) {
        let hosts = try selection.hosts(in: context)
        let plans = Dictionary(zip(hosts.map(\.name), try plans(for: hosts, in: context))) { first, _ in first }
        let outcomes = await hosts.outcomes(limit: HostSelection.parallelLimit) { host throws(VTError) in
            guard let plan = plans[host.name] else {
                throw VTError(.internal, "cannot determine how to connect to '\(host.name)'")
            }
            return try await body(plan)
        }
        return (hosts, outcomes)
    }
}
