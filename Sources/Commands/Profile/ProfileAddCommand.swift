import Arguments
import Core
import Services

/// Saves a server: `vt profile add NAME DESTINATION`.
package enum ProfileAddCommand: Command {
    private static let name = Operand("NAME", parse: ProfileName.init)
    /// Nil if SSH is not used.
    private static let destination = Operand("DESTINATION", completion: .hostName, parse: Destination.init(parsing:))
        .optional(omittedWith: ProfileOptions.addresses)
    private static let replace = Option.flag("replace", summary: "replace an existing profile with this name")

    package static let spec = CommandSpec(
        ["profile", "add"],
        summary: "save a server",
        description: [
            "Saves a server under a name, which other commands then accept as TARGET. DESTINATION is "
                + "[USER@]HOST[:PORT] or ssh://[USER@]HOST[:PORT]. vt does not connect to it; to test the connection, "
                + "use 'vt profile test NAME'.",
            "# Other ways to connect",
            "--via, --link-stdin and --vibetunnel replace DESTINATION: commands run through a program, such as docker "
                + "exec, or the sessions of a link of 'vt serve' or of a VibeTunnel server are used.",
            "# Secrets",
            "Secrets are never given on the command line. A secret is read from standard input and saved in the "
                + "secret store, or read from a variable, a file or a command each time it is needed.",
        ],
        operands: [name, destination],
        options: ProfileOptions.options + [replace],
        commonOptions: ProfileOptions.common,
        examples: [
            ExampleSpec("vt profile add web ann@web.example", "save a server"),
            ExampleSpec("vt profile add db db.internal:2222 --jump web --tag prod", "save a server behind a jump host"),
            ExampleSpec(
                "pass show nas | vt profile add nas root@nas --password-stdin",
                "save a server and its password"
            ),
            ExampleSpec(
                "ssh desk vt share build | vt profile add desk --link-stdin",
                "reach a session through its link"
            ),
            ExampleSpec("vt profile add box --via 'docker exec -i box'", "run commands in a container"),
            ExampleSpec(
                "pass show mac | vt profile add mac --vibetunnel http://mac.lan --user ann --password-stdin",
                "use the sessions of a VibeTunnel server"
            ),
            ExampleSpec("vt profile add lab --via 'ssh lab {line}'", "connect with ssh instead of vt's own client"),
        ],
        exitCodes: VTError.Code.ofChanges + [.notFound, .exists]
    )

    package static var documents: [DocumentSpec] {
        [.document(ProfileDocument.self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        _ = try ProfileOptions.edit(call)
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        var edit = try ProfileOptions.anchored(ProfileOptions.edit(call), keys: call[ProfileOptions.key], in: context)
        let secrets = try await SecretOptions.given(in: call)(context.console.input, &edit)
        let profile = try await context.profileService().add(
            call[name],
            to: call[destination],
            edit,
            secrets: secrets,
            replacing: call[replace]
        )
        try context.reportMissingIdentities(of: profile)
        try context.reportMissingAuthorities(of: profile)
        try context.show(ProfileDocument(profile: profile)) { "" }
        return 0
    }
}
