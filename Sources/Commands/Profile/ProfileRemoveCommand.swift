import Arguments
import Core
import Services

/// Removes profiles: `vt profile remove NAME...`.
package enum ProfileRemoveCommand: Command {
    private static let names = Operand("NAME", completion: .profile).list(.oneOrMore)
    private static let keepSecrets = Option.flag(
        "keep-secrets",
        summary: "keep the secrets in the secret store, for example if the store cannot be reached"
    )

    package static let spec = CommandSpec(
        ["profile", "remove"],
        summary: "remove saved servers and their secrets",
        description: [
            "Either all profiles are removed or none. A profile cannot be removed while a remaining profile uses it as "
                + "a jump host."
        ],
        operands: [names],
        options: [keepSecrets],
        examples: [ExampleSpec("vt profile remove web db", "remove two servers")],
        exitCodes: VTError.Code.ofChanges + [.notFound]
    )

    package static var documents: [DocumentSpec] {
        [.document(RemovedDocument.self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let names = call[Self.names]
        try await context.profileService().remove(names, keepingSecrets: call[keepSecrets])
        try await context.closeConnections(of: names)
        try context.show(RemovedDocument(removed: names)) { "" }
        return 0
    }
}
