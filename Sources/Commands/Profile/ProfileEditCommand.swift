import Arguments
import Core
import Services

/// Changes a profile: `vt profile edit NAME`.
package struct ProfileEditCommand: Command {
    package static let spec = CommandSpec(
        ["profile", "edit"],
        summary: "change a saved server",
        description: [
            "Fields whose options are not given are left unchanged. A repeatable option replaces the whole list. "
                + "--jump and --proxy-command replace each other, as do --host and --via; --via also resets all SSH "
                + "fields."
        ],
        operands: [OperandSpec("NAME", completion: .profile)],
        options: [
            OptionSpec(
                "host",
                value: ValueSpec("HOST", completion: .hostName),
                excludes: ["via"],
                summary: "connect to this host"
            )
        ] + ProfileOptions.specs + [
            OptionSpec(
                "unset",
                value: ValueSpec("FIELD", choices: ProfileEdit.Field.allCases.map(\.rawValue)),
                isRepeatable: true,
                summary: "reset a field to its default"
            )
        ],
        examples: [
            ExampleSpec("vt profile edit web --port 2222 --tag prod --tag eu", "change the port and the tags"),
            ExampleSpec("vt profile edit web --unset jump", "connect without a jump host again"),
        ],
        files: [.profiles, .keys, .secrets],
        exitCodes: VTError.Code.ofChanges + [.notFound]
    )

    package static var documents: [DocumentSpec] {
        [.document(Profile.self)]
    }

    private let name: String
    private let edit: ProfileEdit
    /// The names of keys to log in with, in addition to the identities in the edit.
    private let keys: [String]
    private let secrets: @Sendable (any StandardInput) async throws(VTError) -> ProfileService.GivenSecrets

    package init(_ arguments: ParsedArguments) throws(VTError) {
        name = try arguments.operand("NAME")
        var edit = try ProfileOptions.edit(arguments)
        edit.destination = try arguments.value("host") { text throws(VTError) in
            guard Destination.isHost(text) else { throw VTError(.usage, "invalid host name '\(text)'") }
            return Destination(host: text)
        }
        edit.unset = Set(arguments.values("unset").compactMap(ProfileEdit.Field.init))
        self.edit = edit
        keys = arguments.values("key")
        secrets = SecretOptions.given(in: arguments)
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let profile = try await context.profileService().edit(
            name,
            try ProfileOptions.anchored(edit, keys: keys, in: context),
            secrets: try await secrets(context.console.input)
        )
        try await context.closeConnections(of: [name])
        if edit.identities != nil { try context.noteMissingIdentities(of: profile) }
        try context.show(profile) { "" }
        return 0
    }
}
