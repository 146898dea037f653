import Arguments
import Core
import Services

/// Forgets host keys: `vt host forget HOST...`.
package struct HostForgetCommand: Command {
    package static let spec = CommandSpec(
        ["host", "forget"],
        summary: "forget the host keys of servers",
        description: [
            HostSelection.explanation,
            "Removes the names from the known_hosts file of vt; the files of OpenSSH stay as they are. A host that is not "
                + "known is no error.",
        ],
        operands: [HostSelection.operand(.oneOrMore)],
        options: [HostSelection.tagSpec],
        examples: [ExampleSpec("vt host forget web.example", "meet a server as a new one")],
        exitCodes: [.notFound, .cannotCreate, .busy, .config]
    )

    private let selection: HostSelection

    package init(_ arguments: ParsedArguments) throws(VTError) {
        selection = try HostSelection(arguments)
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let service = try context.services.hostService(context.diagnostics)
        let hosts = try selection.hosts(in: context)
        let outcomes = hosts.map { host in
            Result { () throws(VTError) in try service.forget(host.endpoint) }
        }
        var removed: [KnownHost] = []
        var isAnyDone = false
        for (host, outcome) in zip(hosts, outcomes) {
            guard case .success(let entries) = outcome else { continue }
            isAnyDone = true
            if entries.isEmpty { context.diagnostics.note("'\(host.endpoint)' is not known") }
            removed += entries
        }
        if isAnyDone { try context.show(removed.map(KnownHostDocument.init)) { "" } }
        try HostSelection.check(outcomes, of: hosts, in: context)
        return 0
    }
}
