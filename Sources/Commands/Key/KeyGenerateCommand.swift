import Arguments
import Core
import Services
import System

/// Generates a key: `vt key generate NAME`.
package enum KeyGenerateCommand: Command {
    private enum KeyType: String, CaseIterable {
        case ed25519, ecdsa, rsa
    }

    private static let name = Operand("NAME", parse: StoredKeyName.init)
    private static let type = Option(
        "type",
        short: "t",
        .choice("TYPE", KeyType.allCases),
        default: "ed25519",
        summary: "generate a key of this type; ecdsa uses the curve P-256"
    )
    private static let bits = Option(
        "bits",
        short: "b",
        .number(in: 2048...16384),
        default: "3072",
        summary: "generate an RSA key of this size, from 2048 to 16384 bits"
    )
    private static let comment = SharedOptions.keyComment(default: "USER@HOST")

    package static let spec = CommandSpec(
        ["key", "generate"],
        summary: "generate a key to log in with",
        description: [
            "Prints the fingerprint of the key and the path of the public key. An existing key is never overwritten. "
                + "The files are in OpenSSH's format, so that other programs can use them; vt writes them itself and "
                + "does not need ssh-keygen.",
            "The private key is not encrypted, because vt never prompts for a passphrase and OpenSSH's encryption "
                + "requires ssh-keygen. To encrypt the key, run 'ssh-keygen -p -f FILE', where FILE is the path of the "
                + "private key as reported by 'vt key show NAME --json'.",
        ],
        operands: [name],
        options: [type, bits, comment],
        examples: [
            ExampleSpec("vt key generate deploy", "generate an Ed25519 key"),
            ExampleSpec(
                "vt key generate old --type rsa --bits 4096",
                "generate a key for a server that does not support Ed25519"
            ),
        ],
        exitCodes: VTError.Code.ofChanges + [.exists]
    )

    package static var documents: [DocumentSpec] {
        [.document(StoredKey.self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        guard !call.contains(bits) || call[type] == .rsa else {
            throw VTError(.usage, "'--bits' applies only to RSA keys", hint: "add --type rsa")
        }
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let kind: KeyKind =
            switch call[type] {
            case .rsa: .rsa(bits: call[bits] ?? 3072)
            case .ecdsa: .ecdsa
            case .ed25519, nil: .ed25519
            }
        let user = context.world.account()?.name ?? "vt"
        let comment = call[Self.comment] ?? "\(user)@\(LinuxProcess.hostName)"
        let key = try KeyService(context.world).generate(call[name], kind, comment: comment)
        try context.show(key) { key.summary }
        return 0
    }
}

extension StoredKey {
    /// The fingerprint, and the path of the public key.
    var summary: String { "\(fingerprint) \(publicPath)".sanitized }
}
