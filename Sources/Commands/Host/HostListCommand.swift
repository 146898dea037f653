import Arguments
import Core
import Services

/// Lists known host keys: `vt host list [HOST...]`.
package enum HostListCommand: Command {
    package static let spec = CommandSpec(
        ["host", "list"],
        summary: "list known host keys",
        description: [
            HostSelection.explanation,
            "Lists the keys in vt's known_hosts file and in the files that OpenSSH reads by default. With HOST, lists "
                + "only the keys that apply to that host, including revoked keys, keys listed under a hashed name "
                + "or a pattern, and those in the known_hosts file of its profile.",
        ],
        operands: [HostSelection.anyHosts],
        options: [HostSelection.tag] + ListOptions<KnownHost>.options,
        examples: [
            ExampleSpec("vt host list web.example:2222", "list the keys that apply to a server"),
            ExampleSpec("vt host list --json", "list all known keys as JSON"),
            ExampleSpec("vt host list --filter marker=revoked", "list the revoked keys"),
        ],
        exitCodes: [.notFound, .system, .config]
    )

    package static var documents: [DocumentSpec] {
        [.document([KnownHost].self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let hosts = try knownHosts(call, in: context)
        try ListOptions<KnownHost>(call).show(hosts, in: context, name: { $0.names }, table: TextTable.init)
        return 0
    }

    /// Returns all known keys, or those that apply to the selected servers, without duplicates.
    private static func knownHosts(_ call: Call, in context: Context) throws(VTError) -> [KnownHost] {
        let selection = HostSelection(call)
        let service = try HostService(context.world)
        guard !selection.isEmpty else { return try service.list(nil) }
        var places: Set<String> = []
        var found: [KnownHost] = []
        for host in try selection.hosts(in: context) {
            let keys = try service.list(host.endpoint, in: host.lookup)
            found += keys.filter { places.insert("\($0.line):\($0.file)").inserted }
        }
        return found
    }
}

extension TextTable {
    /// A table of known host keys, with the file and line of each.
    init(of hosts: [KnownHost]) {
        self.init(["NAMES", "TYPE", "FINGERPRINT", "MARKER", "PLACE"])
        for host in hosts {
            add([
                host.names, host.keyType, host.fingerprint, host.marker?.rawValue ?? "-", "\(host.file):\(host.line)",
            ])
        }
    }
}
