import CommandLine
import Core
import Services

/// Lists known host keys: `vt host list [HOST]`.
package struct HostListCommand: Command {
    package static let spec = CommandSpec(
        ["host", "list"],
        summary: "list the known host keys",
        description: [
            "Lists the keys of the known_hosts file of vt and of the files that OpenSSH reads by default. With HOST, which "
                + "may have a port behind a colon, only those that bear upon it: also hashed names, patterns and "
                + "revoked keys."
        ],
        operands: [OperandSpec("HOST", .optional, completion: .hostName)],
        examples: [
            ExampleSpec("vt host list web.example:2222", "show which keys are trusted for a server"),
            ExampleSpec("vt host list --json", "list all known keys for a program"),
        ],
        exitCodes: [.config]
    )

    private let endpoint: Endpoint?

    package init(_ arguments: ParsedArguments) throws(VTError) {
        guard arguments.optionalOperand("HOST") != nil else {
            endpoint = nil
            return
        }
        endpoint = try arguments.operand("HOST") { text throws(VTError) in try Endpoint(argument: text) }
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let hosts = try context.services.hostService(context.diagnostics).list(endpoint)
        guard !context.global.json else {
            try context.output.json(hosts.map(KnownHostDocument.init))
            return 0
        }
        var table = TextTable(["NAMES", "TYPE", "FINGERPRINT", "MARKER", "PLACE"])
        for host in hosts {
            table.add([
                host.names, host.keyType, host.fingerprint, host.marker?.rawValue ?? "-", "\(host.file):\(host.line)",
            ])
        }
        try context.output.table(table)
        return 0
    }
}
