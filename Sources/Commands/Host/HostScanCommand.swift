import CommandLine
import Core
import Services

/// Shows the host keys of a server: `vt host scan HOST`.
package struct HostScanCommand: Command {
    package static let spec = CommandSpec(
        ["host", "scan"],
        summary: "show the host keys of a server",
        description: [
            "Asks the server for its key of every type that vt can check, one connection each. Nothing is stored and "
                + "nobody logs in. STATUS is known, new (no key of this type is known), changed or revoked."
        ],
        operands: [ProbeOptions.operand],
        options: ProbeOptions.specs,
        examples: [ExampleSpec("vt host scan web.example:2222", "show the keys with their fingerprints")],
        exitCodes: ProbeOptions.exitCodes
    )

    private let probe: ProbeOptions

    package init(_ arguments: ParsedArguments) throws(VTError) {
        probe = try ProbeOptions(arguments)
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let keys = try await context.services.hostService(context.diagnostics).scan(try probe.plan(in: context))
        guard !context.global.json else {
            try context.output.json(keys.map(ShownKeyDocument.init))
            return 0
        }
        var table = TextTable(["TYPE", "FINGERPRINT", "STATUS"])
        for item in keys { table.add([item.key.type, item.fingerprint, item.standing.rawValue]) }
        try context.output.table(table)
        return 0
    }
}
