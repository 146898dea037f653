import Arguments
import Core
import Services

/// Lists profiles: `vt profile list`.
package enum ProfileListCommand: Command {
    private static let tag = Option(
        "tag",
        .text("TAG", completion: .tag),
        summary: "list only profiles with this tag; if repeated, with all of the tags"
    ).repeatable()
    private static let search = Option(
        "search",
        .text("TEXT"),
        summary: "list only profiles with this text in their name, host, user, program, note or tags"
    )

    package static let spec = CommandSpec(
        ["profile", "list"],
        summary: "list saved servers",
        description: [
            "Prints a table sorted by name, or, with --json, an array of profiles in the format of 'vt profile show'."
        ],
        options: [tag, search] + ListOptions<ProfileDocument>.options,
        examples: [
            ExampleSpec("vt profile list --tag prod", "list the servers with a tag"),
            ExampleSpec(
                "vt profile list --ids --filter 'host=*.example'",
                "print the names of the servers in a domain"
            ),
            ExampleSpec("vt profile list --fields name,host --sort -last_connected_at", "list the last used first"),
        ],
        exitCodes: [.system, .config]
    )

    package static var documents: [DocumentSpec] {
        [.document([ProfileDocument].self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let profiles = try context.profileService().list(tags: call[tag], search: call[search])
        let list = ListOptions<ProfileDocument>(call)
        try list.show(profiles.map(ProfileDocument.init), in: context, name: { $0.profile.name }, table: table)
        return 0
    }

    private static func host(of profile: Profile) -> String {
        switch profile.transport {
        case .ssh: profile.host
        case .program(let command): "via \(command.text)"
        case .link(let address): "link \(address)"
        case .vibeTunnel(let address): "via \(address)"
        }
    }

    private static func table(of documents: [ProfileDocument]) -> TextTable {
        var table = TextTable(["NAME", "HOST", "PORT", "USER", "JUMP", "TAGS", "LAST CONNECTED"])
        for profile in documents.map(\.profile) {
            let isSSH = profile.transport == .ssh
            table.add([
                profile.name, host(of: profile), isSSH ? String(profile.port) : "-",
                profile.user ?? "-", profile.jump ?? "-",
                profile.tags.isEmpty ? "-" : profile.tags.joined(separator: ","),
                profile.lastConnectedAt?.rawValue ?? "-",
            ])
        }
        return table
    }
}
