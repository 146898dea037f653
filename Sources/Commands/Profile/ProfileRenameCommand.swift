import Arguments
import Core
import Services

/// Renames a profile: `vt profile rename NAME NEW-NAME`.
package struct ProfileRenameCommand: Command {
    package static let spec = CommandSpec(
        ["profile", "rename"],
        summary: "give a saved server another name",
        description: ["Profiles that jump through it go on to do so, and its secrets stay."],
        operands: [OperandSpec("NAME", completion: .profile), OperandSpec("NEW-NAME")],
        examples: [ExampleSpec("vt profile rename web web1", "give 'web' the name 'web1'")],
        exitCodes: [.notFound, .exists, .cannotCreate, .busy, .config]
    )

    private let name: String
    private let newName: ProfileName

    package init(_ arguments: ParsedArguments) throws(VTError) {
        name = try arguments.operand("NAME")
        newName = try arguments.operand("NEW-NAME") { text throws(VTError) in try ProfileName(text) }
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let service = try context.services.profileService()
        try service.rename(name, to: newName)
        if context.global.json { try context.output.json(try service.profile(newName.text)) }
        return 0
    }
}
