import Arguments
import Core
import Services

/// Imports hosts from a configuration of OpenSSH: `vt profile import [FILE]`.
package struct ProfileImportCommand: Command {
    package static let spec = CommandSpec(
        ["profile", "import"],
        summary: "save the hosts of ~/.ssh/config",
        description: [
            "Every name of a Host line that is no pattern becomes a profile, with what all matching blocks say for it: "
                + "HostName, User, Port, IdentityFile, IdentitiesOnly, IdentityAgent none, ProxyJump, ProxyCommand, "
                + "ConnectTimeout, ServerAliveInterval, ServerAliveCountMax, StrictHostKeyChecking, UserKnownHostsFile "
                + "and SetEnv. Jump hosts that are no names of their own become profiles too.",
            "All are imported, or none. What is not carried over is named on standard error. The names of the profiles "
                + "are printed.",
        ],
        operands: [OperandSpec("FILE", .optional, completion: .file)],
        options: [
            OptionSpec(
                "host",
                value: ValueSpec("PATTERN"),
                isRepeatable: true,
                summary: "import only names that match; * and ? are wildcards"
            ),
            OptionSpec(
                "tag",
                value: ValueSpec("TAG", completion: .tag),
                isRepeatable: true,
                summary: "give every profile this tag"
            ),
            OptionSpec(
                "replace",
                summary: "replace profiles that exist; they keep their secrets, note and history"
            ),
            OptionSpec("dry-run", summary: "show what would be imported and change nothing"),
        ],
        examples: [
            ExampleSpec("vt profile import --dry-run", "show what there is to import"),
            ExampleSpec("vt profile import --host 'web*' --tag prod", "import the hosts whose names begin with 'web'"),
        ],
        exitCodes: [.dataInvalid, .notFound, .exists, .cannotCreate, .busy, .config]
    )

    private let request: ImportRequest

    package init(_ arguments: ParsedArguments) throws(VTError) {
        request = ImportRequest(
            file: arguments.optionalOperand("FILE"),
            hosts: arguments.values("host"),
            tags: try arguments.values("tag", parse: ProfileOptions.tag),
            isReplacing: arguments.flag("replace"),
            isDryRun: arguments.flag("dry-run")
        )
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let reader = try context.services.sshConfigurationReader()
        let report = try context.services.profileService().importHosts(request, from: reader)
        for note in report.notes { context.diagnostics.note(note) }
        try context.show(report.profiles) { report.profiles.map(\.name.sanitized).joined(separator: "\n") }
        return 0
    }
}
