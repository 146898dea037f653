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

    /// What the options request from standard input: secrets, and the changes that belong to them.
    typealias Given =
        @Sendable (any StandardInput, inout ProfileEdit) async throws(VTError) ->
        ProfileService.GivenSecrets

    /// Returns a function that reads the secret or link from standard input if an option requests it.
    ///
    /// The function throws `usage` when standard input is a terminal, which would echo the secret.
    static func given(in call: Call) -> Given {
        let isLink = call[ProfileOptions.link]
        let purpose: SecretKey.Purpose? =
            isLink || call[passwordInput] ? .password : call[passphraseInput] ? .passphrase : nil
        return { input, edit async throws(VTError) in
            guard let purpose else { return [:] }
            let name = isLink ? "link" : purpose.rawValue
            guard !input.isTerminal else {
                throw VTError(
                    .usage,
                    "--\(name)-stdin: standard input is a terminal",
                    hint: "pipe the \(name) in, or redirect it from a file"
                )
            }
            let line = try await readLine(input.source())
            guard isLink else { return [purpose: line] }
            let link = try SharedLink(parsing: line)
            edit.link = link.address
            return [purpose: link.token]
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
