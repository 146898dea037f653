import Arguments
import Core
import Services

/// Trusts host keys of servers: `vt host trust HOST FINGERPRINT...`.
package enum HostTrustCommand: Command {
    private static let fingerprints = Operand("FINGERPRINT", parse: ProfileOptions.fingerprint).list(.zeroOrMore)
    private static let all = Option.flag("all", summary: "trust all keys that the server presents now")
    private static let replace = Option.flag("replace", summary: "remove all other keys of the server")

    package static let spec = CommandSpec(
        ["host", "trust"],
        summary: "trust the host keys of servers",
        description: [
            HostSelection.explanation,
            "Requests the server's keys, and stores those with the given fingerprints in vt's known_hosts file. The "
                + "command fails if any of the fingerprints does not match a key of the server.",
            "If the key of a server has changed, compare its fingerprint with the output of 'ssh-keygen -lf FILE' on "
                + "the server, where FILE is /etc/ssh/ssh_host_*_key.pub, and then trust the key with --replace.",
        ],
        operands: [HostSelection.host, fingerprints],
        options: [all, replace] + ProbeOptions.options,
        examples: [
            ExampleSpec(
                "vt host trust web SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
                "trust the key with this fingerprint"
            ),
            ExampleSpec("vt host trust --all 127.0.0.1:2222", "trust all keys that the server presents"),
            ExampleSpec(
                "vt host trust --tag lab --all --replace",
                "replace the known keys of all servers that have a tag"
            ),
        ],
        exitCodes: VTError.Code.ofConnections + [.cannotCreate, .busy]
    )

    package static var documents: [DocumentSpec] {
        [.document([ShownKeyDocument].self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        guard call[all] == call[fingerprints].isEmpty else {
            throw call[all] ? VTError(.usage, "--all cannot be used with a fingerprint") : call.missing(fingerprints)
        }
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let service = try HostService(context.world)
        let fingerprints = call[all] ? nil : call[Self.fingerprints]
        let isReplacing = call[replace]
        let (hosts, outcomes) = try await ProbeOptions(call).forEach(in: context) { plan throws(VTError) in
            try await service.trust(plan, fingerprints: fingerprints, replacing: isReplacing)
        }
        var documents: [ShownKeyDocument] = []
        for (host, outcome) in zip(hosts, outcomes) {
            guard case .success(let keys) = outcome else { continue }
            let prefix = hosts.count == 1 ? "" : "\(host.name): "
            for item in keys { context.diagnostics.note("\(prefix)trusted: \(item.key.type) \(item.fingerprint)") }
            documents += keys.map { ShownKeyDocument(item: $0, host: host) }
        }
        if !documents.isEmpty { try context.show(documents) { "" } }
        try context.check(outcomes, named: hosts.map(\.name))
        return 0
    }
}
