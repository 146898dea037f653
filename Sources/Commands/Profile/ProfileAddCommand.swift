import Arguments
import Core
import Services

/// Saves a server: `vt profile add NAME DESTINATION`.
package struct ProfileAddCommand: Command {
    private static let replace = Option.flag("replace", summary: "replace an existing profile with this name")

    package static let spec = CommandSpec(
        ["profile", "add"],
        summary: "save a server",
        description: [
            "DESTINATION is [USER@]HOST[:PORT] or ssh://[USER@]HOST[:PORT]. vt does not connect to it; to test the "
                + "connection, use 'vt profile test'. With --via, omit DESTINATION: commands are run through a "
                + "program, such as docker exec, instead of over SSH. With --link-stdin or --vibetunnel, which also "
                + "replace DESTINATION, the sessions that 'vt serve' or a VibeTunnel server serves are used.",
            "Secrets are never given on the command line. A secret is read from standard input and saved in the "
                + "secret store, or read from a variable, a file or a command each time it is needed.",
        ],
        operands: [
            OperandSpec("NAME"),
            OperandSpec("DESTINATION", completion: .hostName, omittedWith: ProfileOptions.addresses),
        ],
        options: ProfileOptions.options + [replace],
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
        files: [.profiles, .keys, .secrets],
        exitCodes: VTError.Code.ofChanges + [.notFound, .exists]
    )

    package static var documents: [DocumentSpec] {
        [.document(ProfileDocument.self)]
    }

    private let name: ProfileName
    /// Nil if SSH is not used.
    private let destination: Destination?
    private let edit: ProfileEdit
    /// The names of keys to log in with, in addition to the identities in the edit.
    private let keys: [String]
    private let secrets: SecretOptions.Given
    private let isReplacing: Bool

    package init(_ arguments: ParsedArguments) throws(VTError) {
        name = try arguments.operand("NAME", parse: ProfileName.init)
        destination =
            ProfileOptions.addresses.contains(where: arguments.contains)
            ? nil
            : try arguments.operand("DESTINATION", parse: Destination.init(parsing:))
        edit = try ProfileOptions.edit(arguments)
        keys = try arguments[ProfileOptions.key]
        secrets = SecretOptions.given(in: arguments)
        isReplacing = arguments[Self.replace]
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        var edit = try ProfileOptions.anchored(edit, keys: keys, in: context)
        let secrets = try await secrets(context.console.input, &edit)
        let profile = try await context.profileService().add(
            name,
            to: destination,
            edit,
            secrets: secrets,
            replacing: isReplacing
        )
        try context.reportMissingIdentities(of: profile)
        try context.reportMissingAuthorities(of: profile)
        try context.show(ProfileDocument(profile: profile)) { "" }
        return 0
    }
}
