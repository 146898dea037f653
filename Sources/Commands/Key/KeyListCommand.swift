import Arguments
import Core
import Services

/// Lists keys: `vt key list`.
package enum KeyListCommand: Command {
    package static let spec = CommandSpec(
        ["key", "list"],
        summary: "list the keys that vt keeps",
        description: ["Prints a table sorted by name, with the profiles that use each key, or an array with --json."],
        options: ListOptions<StoredKey>.options,
        examples: [
            ExampleSpec("vt key list", "list all keys"),
            ExampleSpec("vt key list --ids --filter profiles=", "print the names of the keys that no profile uses"),
        ],
        exitCodes: [.system, .config]
    )

    package static var documents: [DocumentSpec] {
        [.document([StoredKey].self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let keys = try KeyService(context.world).list()
        try ListOptions<StoredKey>(call).show(keys, in: context, name: { $0.name }, table: table)
        return 0
    }

    private static func table(of keys: [StoredKey]) -> TextTable {
        var table = TextTable(["NAME", "TYPE", "BITS", "FINGERPRINT", "ENCRYPTED", "PROFILES", "COMMENT"])
        for key in keys {
            table.add([
                key.name, key.publicKey.type, key.publicKey.bits.map(String.init) ?? "-", key.fingerprint,
                key.isEncrypted ? "yes" : "no", key.profiles.isEmpty ? "-" : key.profiles.joined(separator: ","),
                key.publicKey.comment.isEmpty ? "-" : key.publicKey.comment,
            ])
        }
        return table
    }
}
