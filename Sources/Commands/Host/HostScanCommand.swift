import Arguments
import Core
import Services

/// Shows the host keys of servers: `vt host scan HOST...`.
package struct HostScanCommand: Command {
    package static let spec = CommandSpec(
        ["host", "scan"],
        summary: "show the host keys of servers",
        description: [
            HostSelection.explanation,
            "Requests the host key of every type that vt supports from each server, on a separate connection for each "
                + "type. Nothing is stored, and vt does not log in. STATUS is known, new (no key of this type is "
                + "known), changed or revoked.",
            "Servers are scanned in parallel. Keys are shown for each server that responds; if any does not, the "
                + "exit status is not 0.",
        ],
        operands: [HostSelection.operand(.oneOrMore)],
        options: ProbeOptions.options,
        examples: [
            ExampleSpec("vt host scan web.example:2222", "show the keys and their fingerprints"),
            ExampleSpec("vt host scan --tag prod", "scan all servers with a tag"),
        ],
        files: [.profiles, .knownHosts, .openSSHKnownHosts],
        exitCodes: VTError.Code.ofConnections
    )

    package static var documents: [DocumentSpec] {
        [.document([ShownKeyDocument].self)]
    }

    private let probe: ProbeOptions

    package init(_ arguments: ParsedArguments) throws(VTError) {
        probe = try ProbeOptions(arguments)
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let service = try context.hostService()
        let (hosts, outcomes) = try await probe.forEach(in: context) { plan throws(VTError) in
            try await service.scan(plan)
        }
        let found = zip(hosts, outcomes).compactMap { host, outcome in
            (try? outcome.get()).map { (host: host, keys: $0) }
        }
        if !found.isEmpty { try show(found, isSingle: hosts.count == 1, in: context) }
        try context.check(outcomes, named: hosts.map(\.name))
        return 0
    }

    private func show(
        _ found: [(host: HostSelection.Host, keys: [HostService.ShownKey])],
        isSingle: Bool,
        in context: Context
    ) throws(VTError) {
        guard !context.global.json else {
            let documents = found.flatMap { host, keys in keys.map { ShownKeyDocument($0, of: host) } }
            return try context.output.json(documents)
        }
        var table = TextTable((isSingle ? [] : ["HOST"]) + ["TYPE", "FINGERPRINT", "STATUS"])
        for (host, keys) in found {
            for item in keys {
                table.add((isSingle ? [] : [host.name]) + [item.key.type, item.fingerprint, item.standing.rawValue])
            }
        }
        try context.output.table(table)
    }
}
