import CommandLine
import Core
import Services

/// Trusts host keys of a server: `vt host trust HOST FINGERPRINT...`.
package struct HostTrustCommand: Command {
    package static let spec = CommandSpec(
        ["host", "trust"],
        summary: "trust a host key of a server",
        description: [
            "Asks the server for its keys and stores those with the given fingerprints in the known_hosts file of vt. A "
                + "server that shows no such key is refused."
        ],
        operands: [ProbeOptions.operand, OperandSpec("FINGERPRINT", .zeroOrMore)],
        options: [
            OptionSpec("all", summary: "trust every key that the server shows now"),
            OptionSpec("replace", summary: "take the place of other keys of the same types"),
        ] + ProbeOptions.specs,
        examples: [
            ExampleSpec(
                "vt host trust web SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
                "trust the key with this fingerprint"
            ),
            ExampleSpec("vt host trust --all 127.0.0.1:2222", "trust whatever the server shows"),
        ],
        exitCodes: ProbeOptions.exitCodes + [.cannotCreate, .busy]
    )

    private let probe: ProbeOptions
    private let fingerprints: [String]?
    private let isReplacing: Bool

    package init(_ arguments: ParsedArguments) throws(VTError) {
        probe = try ProbeOptions(arguments)
        let words = arguments.operands("FINGERPRINT")
        guard arguments.flag("all") != !words.isEmpty else {
            throw words.isEmpty
                ? arguments.missing("FINGERPRINT")
                : VTError(.usage, "--all and a fingerprint exclude each other")
        }
        var fingerprints: [String] = []
        for word in words { fingerprints.append(try ProfileOptions.fingerprint(word)) }
        self.fingerprints = arguments.flag("all") ? nil : fingerprints
        isReplacing = arguments.flag("replace")
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let keys = try await context.services.hostService(context.diagnostics).trust(
            try probe.plan(in: context),
            fingerprints: fingerprints,
            replacing: isReplacing
        )
        for item in keys { context.diagnostics.note("trusted: \(item.key.type) \(item.fingerprint)") }
        try context.show(keys.map(ShownKeyDocument.init)) { "" }
        return 0
    }
}
