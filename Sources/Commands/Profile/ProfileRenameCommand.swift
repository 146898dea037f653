import Arguments
import Core
import Services

/// Renames a profile: `vt profile rename NAME NEW-NAME`.
package struct ProfileRenameCommand: Command {
    package static let spec = CommandSpec(
        ["profile", "rename"],
        summary: "rename a saved server",
        description: ["Profiles that use the server as a jump host are updated, and its secrets are kept."],
        operands: [OperandSpec("NAME", completion: .profile), OperandSpec("NEW-NAME")],
        examples: [ExampleSpec("vt profile rename web web1", "rename 'web' to 'web1'")],
        files: [.profiles],
        exitCodes: VTError.Code.ofChanges + [.notFound, .exists]
    )

    package static var documents: [DocumentSpec] {
        [.document(ProfileDocument.self)]
    }

    private let name: String
    private let newName: ProfileName

    package init(_ arguments: ParsedArguments) throws(VTError) {
        name = try arguments.operand("NAME")
        newName = try arguments.operand("NEW-NAME", parse: ProfileName.init)
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let service = try context.profileService()
        try service.rename(name, to: newName)
        try await context.closeConnections(of: [name])
        if context.global.json { try context.output.json(ProfileDocument(profile: try service.profile(newName.text))) }
        return 0
    }
}
