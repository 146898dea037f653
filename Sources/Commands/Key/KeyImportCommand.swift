import Arguments
import Core
import Runtime
import Services

/// Imports a private key: `vt key import NAME FILE`.
package enum KeyImportCommand: Command {
    private static let name = Operand("NAME", parse: StoredKeyName.init)
    private static let file = Operand("FILE", completion: .file)
    private static let comment = SharedOptions.keyComment(default: "the comment in FILE, or NAME")

    package static let spec = CommandSpec(
        ["key", "import"],
        summary: "import a private key from a file",
        description: [
            "FILE is a private key in OpenSSH's format or in PEM (PKCS #1, PKCS #8 or SEC 1), or '-' for standard "
                + "input. DOS line endings are accepted. PEM is converted to OpenSSH's format. Prints the fingerprint of the "
                + "key and the path of the public key, which vt derives from the private key. An existing key is never "
                + "overwritten, and FILE is not changed.",
            "An encrypted key in OpenSSH's format stays encrypted; an encrypted PEM file is rejected.",
        ],
        operands: [name, file],
        options: [comment],
        examples: [
            ExampleSpec("vt key import laptop ~/.ssh/id_ed25519", "import OpenSSH's default key"),
            ExampleSpec("pass show deploy-key | vt key import deploy -", "import a key from a password manager"),
        ],
        exitCodes: VTError.Code.ofChanges + [.exists, .notFound, .dataInvalid]
    )

    package static var documents: [DocumentSpec] {
        [.document(StoredKey.self)]
    }

    /// The maximum size of a private key; a 16,384-bit RSA key takes 13 KB.
    private static let limitBytes = 1 << 17

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let file = call[Self.file]
        let isInput = file == "-"
        let input = isInput ? context.console.input.source() : try InputFile(opening: file).stream()
        let name = isInput ? context.console.input.name : file
        let contents = try await input.contents(limit: limitBytes, of: "the private key")
        let key = try KeyService(context.world).importKey(
            call[Self.name],
            from: contents,
            file: name,
            comment: call[comment]
        )
        try context.show(key) { key.summary }
        return 0
    }
}
