import Arguments
import Core
import Services

/// Shows the host keys of servers: `vt host scan HOST...`.
package enum HostScanCommand: Command {
    package static let spec = CommandSpec(
        ["host", "scan"],
        summary: "show the host keys of servers",
        description: [
            HostSelection.explanation,
            "Requests the host key of every type that vt supports from each server, on a separate connection for each "
                + "type. Nothing is stored, and vt does not log in. STATUS is known, new (no key of this type is "
                + "known), changed or revoked. The keys of a profile are compared with the key that it pins with "
                + "--host-key, or also with those in its --known-hosts file.",
            "Servers are scanned in parallel. Keys are shown for each server that responds; if any does not, the "
                + "exit status is not 0.",
        ],
        operands: [HostSelection.hosts],
        options: ProbeOptions.options + ListOptions<ShownKeyDocument>.options,
        examples: [
            ExampleSpec("vt host scan web.example:2222", "show the keys and their fingerprints"),
            ExampleSpec("vt host scan --tag prod", "scan all servers with a tag"),
            ExampleSpec("vt host scan --tag prod --filter status=changed", "list the keys that have changed"),
        ],
        exitCodes: VTError.Code.ofConnections
    )

    package static var documents: [DocumentSpec] {
        [.document([ShownKeyDocument].self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let service = try HostService(context.world)
        let (hosts, outcomes) = try await ProbeOptions(call).forEach(in: context) { plan throws(VTError) in
            try await service.scan(plan)
        }
        let found = zip(hosts, outcomes).compactMap { host, outcome in
            (try? outcome.get())?.map { ShownKeyDocument(item: $0, host: host) }
        }
        if !found.isEmpty {
            let list = ListOptions<ShownKeyDocument>(call)
            try list.show(Array(found.joined()), in: context, name: { $0.host.name }) { rows in
                table(of: rows, isSingle: hosts.count == 1)
            }
        }
        try context.check(outcomes, named: hosts.map(\.name))
        return 0
    }

    private static func table(of rows: [ShownKeyDocument], isSingle: Bool) -> TextTable {
        var table = TextTable((isSingle ? [] : ["HOST"]) + ["TYPE", "FINGERPRINT", "STATUS"])
        for row in rows {
            let host = isSingle ? [] : [row.host.name]
            table.add(host + [row.item.key.type, row.item.fingerprint, row.item.standing.rawValue])
        }
        return table
    }
}
