import Arguments
import Core
import Services

/// Prints a public key: `vt key show NAME`.
package enum KeyShowCommand: Command {
    private static let name = Operand("NAME", completion: .key)

    package static let spec = CommandSpec(
        ["key", "show"],
        summary: "print a public key",
        description: [
            "Prints the public key as a line for authorized_keys. The private key is never printed; --json reports "
                + "the path of its file."
        ],
        operands: [name],
        examples: [
            ExampleSpec("vt key show deploy", "print a public key"),
            ExampleSpec("ssh-add \"$(vt key show deploy --json | jq -r .path)\"", "add a key to the SSH agent"),
        ],
        exitCodes: [.notFound, .system, .config]
    )

    package static var documents: [DocumentSpec] {
        [.document(StoredKey.self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let key = try KeyService(context.world).key(call[name])
        try context.show(key) { key.publicKey.line.sanitized }
        return 0
    }
}
