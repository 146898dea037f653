import Arguments
import Core
import Services

extension SecretOptions {
    /// The options that save the first line of standard input in the secret store.
    static let passwordInput = Option.flag(
        "password-stdin",
        excludes: password.options + [passphraseInput],
        summary: "store the first line of standard input as the password"
    )
    static let passphraseInput = Option.flag(
        "passphrase-stdin",
        excludes: passphrase.options,
        summary: "store the first line of standard input as the passphrase"
    )

    /// Returns a function that reads the secret from standard input if an option requests it.
    ///
    /// The function throws `usage` when standard input is a terminal, which would echo the secret.
    static func given(
        in arguments: ParsedArguments
    ) -> @Sendable (any StandardInput) async throws(VTError) -> ProfileService.GivenSecrets {
        let purpose: SecretKey.Purpose? =
            arguments[passwordInput] ? .password : arguments[passphraseInput] ? .passphrase : nil
        return { input async throws(VTError) in
            guard let purpose else { return [:] }
            let name = purpose.rawValue
            guard !input.isTerminal else {
                throw VTError(
                    .usage,
                    "--\(name)-stdin: standard input is a terminal",
                    hint: "pipe the \(name) in, or redirect it from a file"
                )
            }
            return [purpose: try await readLine(input.source())]
        }
    }

    /// The maximum number of bytes to read; secrets are shorter.
    private static let limitBytes = 65_536

    private static func readLine(_ input: any ByteSource) async throws(VTError) -> Secret {
        var bytes: [UInt8] = []
        while bytes.count < limitBytes, !bytes.contains(UInt8(ascii: "\n")), let chunk = try await input.read() {
            bytes += chunk
        }
        return try Secret(firstLineOf: bytes, from: "standard input")
    }
}
