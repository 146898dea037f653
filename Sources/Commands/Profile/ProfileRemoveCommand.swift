import Arguments
import Core
import Services

/// Removes profiles: `vt profile remove NAME...`.
package struct ProfileRemoveCommand: Command {
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
        operands: [OperandSpec("NAME", .oneOrMore, completion: .profile)],
        options: [keepSecrets],
        examples: [ExampleSpec("vt profile remove web db", "remove two servers")],
        files: [.profiles, .secrets],
        exitCodes: VTError.Code.ofChanges + [.notFound]
    )

    package static var documents: [DocumentSpec] {
        [.document(RemovedDocument.self)]
    }

    private let names: [String]
    private let keepsSecrets: Bool

    package init(_ arguments: ParsedArguments) throws(VTError) {
        names = arguments.operands("NAME")
        keepsSecrets = arguments[Self.keepSecrets]
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        try await context.profileService().remove(names, keepingSecrets: keepsSecrets)
        try await context.closeConnections(of: names)
        try context.show(RemovedDocument(removed: names)) { "" }
        return 0
    }
}
