import Arguments
import Core
import Services
import Storage

/// Imports hosts from an OpenSSH configuration: `vt profile import [FILE]`.
package enum ProfileImportCommand: Command {
    private static let file = Operand("FILE", completion: .file).optional()
    private static let host = Option(
        "host",
        .text("PATTERN"),
        summary: "import only hosts that match PATTERN, with the wildcards * and ?"
    ).repeatable()
    private static let tag = Option("tag", .tag, summary: "add this tag to every profile").repeatable()
    private static let replace = Option.flag(
        "replace",
        summary: "replace existing profiles, but keep their secrets, notes and history"
    )
    private static let skipExisting = Option.flag(
        "skip-existing",
        excludes: [replace],
        summary: "skip hosts whose profiles already exist, and list them on standard error"
    )
    private static let dryRun = Option.flag("dry-run", summary: "show what would be imported without changing anything")

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
        operands: [file],
        options: [host, tag, replace, skipExisting, dryRun],
        examples: [
            ExampleSpec("vt profile import --dry-run", "show what would be imported"),
            ExampleSpec("vt profile import --skip-existing", "import only the hosts that have been added"),
            ExampleSpec("vt profile import --host 'web*' --tag prod", "import the hosts whose names start with 'web'"),
        ],
        exitCodes: VTError.Code.ofChanges + [.dataInvalid, .notFound, .exists]
    )

    package static var documents: [DocumentSpec] {
        [.document([ProfileDocument].self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let request = ImportRequest(
            file: call[file],
            hosts: call[host],
            tags: call[tag],
            existing: call[replace] ? .replace : call[skipExisting] ? .skip : .refuse,
            isDryRun: call[dryRun]
        )
        let configuration = try context.sshConfigurationReader().read(request.file, runsPrograms: false)
        let report = try context.profileService().importHosts(request, from: configuration)
        try await context.closeConnections(of: report.profiles.map(\.name))
        for note in report.notes { context.diagnostics.note(note) }
        try context.show(report.profiles.map(ProfileDocument.init)) {
            report.profiles.map(\.name.sanitized).joined(separator: "\n")
        }
        return 0
    }
}
