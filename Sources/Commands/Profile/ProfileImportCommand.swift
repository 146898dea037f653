import Arguments
import Core
import Services
import Storage

/// Imports hosts from an OpenSSH configuration: `vt profile import [FILE]`.
package struct ProfileImportCommand: Command {
    package static let spec = CommandSpec(
        ["profile", "import"],
        summary: "import hosts from ~/.ssh/config",
        description: [
            "Creates a profile for each name on a Host line, except patterns, with the settings from all matching "
                + "blocks: HostName, User, Port, IdentityFile, IdentitiesOnly, IdentityAgent none, ProxyJump, "
                + "ProxyCommand, ConnectTimeout, ServerAliveInterval, ServerAliveCountMax, StrictHostKeyChecking, "
                + "UserKnownHostsFile and SetEnv. Jump hosts without a Host line also become profiles.",
            "Either all hosts are imported or none, unless --skip-existing is given. Settings that are not imported are "
                + "listed on standard error. The names of the profiles are printed.",
        ],
        operands: [OperandSpec("FILE", .optional, completion: .file)],
        options: [
            OptionSpec(
                "host",
                value: ValueSpec("PATTERN"),
                isRepeatable: true,
                summary: "import only hosts that match PATTERN, with the wildcards * and ?"
            ),
            OptionSpec(
                "tag",
                value: ValueSpec("TAG", completion: .tag),
                isRepeatable: true,
                summary: "add this tag to every profile"
            ),
            OptionSpec(
                "replace",
                summary: "replace existing profiles, but keep their secrets, notes and history"
            ),
            OptionSpec(
                "skip-existing",
                excludes: ["replace"],
                summary: "skip hosts whose profiles already exist, and list them on standard error"
            ),
            OptionSpec("dry-run", summary: "show what would be imported without changing anything"),
        ],
        examples: [
            ExampleSpec("vt profile import --dry-run", "show what would be imported"),
            ExampleSpec("vt profile import --skip-existing", "import only the hosts that have been added"),
            ExampleSpec("vt profile import --host 'web*' --tag prod", "import the hosts whose names start with 'web'"),
        ],
        files: [.openSSHConfiguration, .profiles],
        exitCodes: VTError.Code.ofChanges + [.dataInvalid, .notFound, .exists]
    )

    package static var documents: [DocumentSpec] {
        [.document([Profile].self)]
    }

    private let request: ImportRequest

    package init(_ arguments: ParsedArguments) throws(VTError) {
        request = ImportRequest(
            file: arguments.optionalOperand("FILE"),
            hosts: arguments.values("host"),
            tags: try arguments.tags("tag"),
            existing: arguments.flag("replace") ? .replace : arguments.flag("skip-existing") ? .skip : .refuse,
            isDryRun: arguments.flag("dry-run")
        )
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let configuration = try context.sshConfigurationReader().read(request.file, runsPrograms: false)
        let report = try context.profileService().importHosts(request, from: configuration)
        try await context.closeConnections(of: report.profiles.map(\.name))
        for note in report.notes { context.diagnostics.note(note) }
        try context.show(report.profiles) { report.profiles.map(\.name.sanitized).joined(separator: "\n") }
        return 0
    }
}
