import Arguments
import Core
import Services

/// Changes a profile: `vt profile edit NAME`.
package enum ProfileEditCommand: Command {
    private static let name = Operand("NAME", completion: .profile)
    private static let host = Option(
        "host",
        ValueKind("HOST", completion: .hostName, parse: host),
        excludes: ProfileOptions.addresses,
        summary: "connect to this host"
    )
    private static let unset = Option(
        "unset",
        .text("FIELD", choices: ProfileOptions.resettable.map(\.name)),
        summary: "reset a field to its default"
    ).repeatable()

    package static let spec = CommandSpec(
        ["profile", "edit"],
        summary: "change a saved server",
        description: [
            "Changes the settings of a profile; what is not given is left unchanged. A repeatable option replaces the "
                + "whole list.",
            "--jump and --proxy-command replace each other, as do --host, --via, --link-stdin and --vibetunnel; the "
                + "latter three also reset the settings that do not apply to them.",
        ],
        operands: [name],
        options: [host, unset] + .under("Settings", topic: "profile add", ProfileOptions.options),
        examples: [
            ExampleSpec("vt profile edit web --port 2222 --tag prod --tag eu", "change the port and the tags"),
            ExampleSpec("vt profile edit web --unset jump", "connect without a jump host again"),
        ],
        exitCodes: VTError.Code.ofChanges + [.notFound]
    )

    package static var documents: [DocumentSpec] {
        [.document(ProfileDocument.self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        _ = try ProfileOptions.edit(call)
    }

    private static func host(_ text: String) throws(VTError) -> String {
        guard Destination.isHost(text) else { throw VTError(.usage, "invalid host name '\(text)'") }
        return text
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let (name, unset) = (call[Self.name], call[Self.unset])
        var edit = try ProfileOptions.anchored(ProfileOptions.edit(call), keys: call[ProfileOptions.key], in: context)
        edit.host = call[host]
        edit.unset = ProfileOptions.resettable.filter { unset.contains($0.name) }.map(\.property)
        let secrets = try await SecretOptions.given(in: call)(context.console.input, &edit)
        let profile = try await context.profileService().edit(name, edit, secrets: secrets)
        try await context.closeConnections(of: [name])
        if edit.identities != nil { try context.reportMissingIdentities(of: profile) }
        if edit.authorities != nil { try context.reportMissingAuthorities(of: profile) }
        try context.show(ProfileDocument(profile: profile)) { "" }
        return 0
    }
}
