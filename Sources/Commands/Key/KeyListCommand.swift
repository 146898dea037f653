import Arguments
import Core
import Services

/// Lists keys: `vt key list`.
package struct KeyListCommand: Command {
    package static let spec = CommandSpec(
        ["key", "list"],
        summary: "list the keys that vt keeps",
        description: ["Prints a table sorted by name, with the profiles that use each key, or an array with --json."],
        examples: [
            ExampleSpec("vt key list", "list all keys"),
            ExampleSpec(
                "vt key list --json | jq -r '.[] | select(.profiles == []) | .name'",
                "print the names of the keys that no profile uses"
            ),
        ],
        files: [.keys, .profiles],
        exitCodes: [.system, .config]
    )

    package static var documents: [DocumentSpec] {
        [.document([KeyDocument].self)]
    }

    package init(_ arguments: ParsedArguments) throws(VTError) {}

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let keys = try context.keyService().list()
        guard !context.global.json else {
            try context.output.json(keys.map(KeyDocument.init))
            return 0
        }
        var table = TextTable(["NAME", "TYPE", "BITS", "FINGERPRINT", "ENCRYPTED", "PROFILES", "COMMENT"])
        for key in keys {
            table.add([
                key.name, key.publicKey.type, key.publicKey.bits.map(String.init) ?? "-", key.fingerprint,
                key.isEncrypted ? "yes" : "no", key.profiles.isEmpty ? "-" : key.profiles.joined(separator: ","),
                key.publicKey.comment.isEmpty ? "-" : key.publicKey.comment,
            ])
        }
        try context.output.table(table)
        return 0
    }
}
