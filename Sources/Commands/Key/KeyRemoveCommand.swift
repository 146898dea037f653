import Arguments
import Core
import Services

/// Removes keys: `vt key remove NAME...`.
package enum KeyRemoveCommand: Command {
    private static let names = Operand("NAME", completion: .key).list(.oneOrMore)
    private static let force = Option.flag("force", summary: "remove the keys even if a profile uses them")

    package static let spec = CommandSpec(
        ["key", "remove"],
        summary: "remove keys",
        description: [
            "Removes both files of each key. Either all of the keys or none are removed. A key that a profile uses is "
                + "not removed. Servers continue to accept the key; to revoke it, remove it from authorized_keys on "
                + "each server."
        ],
        operands: [names],
        options: [force],
        examples: [ExampleSpec("vt key remove deploy", "remove a key")],
        exitCodes: VTError.Code.ofChanges + [.notFound]
    )

    package static var documents: [DocumentSpec] {
        [.document(RemovedDocument.self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let names = call[Self.names]
        try KeyService(context.world).remove(names, force: call[force])
        try context.show(RemovedDocument(removed: names)) { "" }
        return 0
    }
}
