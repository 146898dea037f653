import Arguments
import Core
import Services

extension SecretOptions {
    /// The option that saves the first line of standard input in the secret store.
    static func standardInput(_ purpose: SecretKey.Purpose) -> OptionSpec {
        let name = purpose.rawValue
        return OptionSpec(
            "\(name)-stdin",
            excludes: ["\(name)-env", "\(name)-file", "\(name)-command"]
                + (purpose == .password ? ["passphrase-stdin"] : []),
            summary: "store the first line of standard input as the \(name)"
        )
    }

    /// Returns a function that reads the secret from standard input if an option requests it.
    ///
    /// The function throws `usage` when standard input is a terminal, which would echo the secret.
    static func given(
        in arguments: ParsedArguments
    ) -> @Sendable (any StandardInput) async throws(VTError) -> ProfileService.GivenSecrets {
        let purpose = SecretKey.Purpose.allCases.first { arguments.flag("\($0.rawValue)-stdin") }
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
