import Arguments
import Core
import Runtime
import Services

/// Imports a private key: `vt key import NAME FILE`.
package struct KeyImportCommand: Command {
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
        operands: [OperandSpec("NAME"), OperandSpec("FILE", completion: .file)],
        options: [comment],
        examples: [
            ExampleSpec("vt key import laptop ~/.ssh/id_ed25519", "import OpenSSH's default key"),
            ExampleSpec("pass show deploy-key | vt key import deploy -", "import a key from a password manager"),
        ],
        files: [.keys],
        exitCodes: VTError.Code.ofChanges + [.exists, .notFound, .dataInvalid]
    )

    package static var documents: [DocumentSpec] {
        [.document(KeyDocument.self)]
    }

    private let name: StoredKeyName
    private let file: String
    private let comment: String?

    /// The maximum size of a private key; a 16,384-bit RSA key takes 13 KB.
    private static let limitBytes = 1 << 17

    package init(_ arguments: ParsedArguments) throws(VTError) {
        name = try arguments.operand("NAME", parse: StoredKeyName.init)
        file = try arguments.operand("FILE")
        comment = try arguments[Self.comment]
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let isInput = file == "-"
        let key = try context.keyService().importKey(
            name,
            from: try await contents(in: context),
            file: isInput ? context.console.input.name : file,
            comment: comment
        )
        try context.show(KeyDocument(key)) { key.summary }
        return 0
    }

    private func contents(in context: Context) async throws(VTError) -> [UInt8] {
        guard file == "-" else {
            let input = try InputFile(opening: file)
            return try Self.collected(from: { () throws(VTError) in
                let bytes = try input.read(limit: Self.limitBytes)
                return bytes.isEmpty ? nil : bytes
            })
        }
        let input = context.console.input.source()
        var bytes: [UInt8] = []
        while bytes.count <= Self.limitBytes, let piece = try await input.read() { bytes += piece }
        return try Self.checked(bytes)
    }

    private static func collected(from next: () throws(VTError) -> [UInt8]?) throws(VTError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limitBytes, let piece = try next() { bytes += piece }
        return try checked(bytes)
    }

    private static func checked(_ bytes: [UInt8]) throws(VTError) -> [UInt8] {
        guard bytes.count <= limitBytes else {
            throw VTError(.dataInvalid, "a private key has at most \(limitBytes) bytes, but the input is larger")
        }
        return bytes
    }
}
