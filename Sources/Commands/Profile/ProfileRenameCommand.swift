import Arguments
import Core
import Services

/// Renames a profile: `vt profile rename NAME NEW-NAME`.
package enum ProfileRenameCommand: Command {
    private static let name = Operand("NAME", completion: .profile)
    private static let newName = Operand("NEW-NAME", parse: ProfileName.init)

    package static let spec = CommandSpec(
        ["profile", "rename"],
        summary: "rename a saved server",
        description: ["Profiles that use the server as a jump host are updated, and its secrets are kept."],
        operands: [name, newName],
        examples: [ExampleSpec("vt profile rename web web1", "rename 'web' to 'web1'")],
        exitCodes: VTError.Code.ofChanges + [.notFound, .exists]
    )

    package static var documents: [DocumentSpec] {
        [.document(ProfileDocument.self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let (name, newName) = (call[Self.name], call[Self.newName])
        let service = try context.profileService()
        try service.rename(name, to: newName)
        try await context.closeConnections(of: [name])
        if context.global.json { try context.output.json(ProfileDocument(profile: try service.profile(newName.text))) }
        return 0
    }
}
