import Arguments
import Core
import Services

/// Forgets host keys: `vt host forget HOST...`.
package enum HostForgetCommand: Command {
    private static let dryRun = Option.flag("dry-run", summary: "list the keys without removing anything")

    package static let spec = CommandSpec(
        ["host", "forget"],
        summary: "remove the host keys of servers",
        description: [
            HostSelection.explanation,
            "Removes the hosts from vt's known_hosts file; OpenSSH's files are not changed. It is an error if a host "
                + "is listed only in OpenSSH's files. If no file lists a host, this is reported but is not an "
                + "error.",
        ],
        operands: [HostSelection.hosts],
        options: [HostSelection.tag, dryRun],
        examples: [
            ExampleSpec("vt host forget web.example", "remove the keys of a server"),
            ExampleSpec("vt host forget --tag old --dry-run", "list the keys of all servers with a tag"),
        ],
        exitCodes: VTError.Code.ofChanges + [.notFound]
    )

    package static var documents: [DocumentSpec] {
        [.document([KnownHost].self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let service = try HostService(context.world)
        let hosts = try HostSelection(call).hosts(in: context)
        let isDryRun = call[dryRun]
        let outcomes = hosts.map { host in
            Result { () throws(VTError) in try service.forget(host.endpoint, isDryRun: isDryRun) }
        }
        var removed: [KnownHost] = []
        var isAnyDone = false
        for (host, outcome) in zip(hosts, outcomes) {
            guard case .success(let entries) = outcome else { continue }
            isAnyDone = true
            if entries.isEmpty { context.diagnostics.note("'\(host.endpoint)' has no known host keys") }
            removed += entries
        }
        if isAnyDone, context.global.json {
            try context.output.json(removed)
        } else if isAnyDone, isDryRun {
            try context.output.table(TextTable(of: removed))
        }
        try context.check(outcomes, named: hosts.map(\.name))
        return 0
    }
}
