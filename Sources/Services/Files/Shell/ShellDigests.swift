import Core

extension ShellConversation {
    /// Computes the digest of standard input, whatever the name of the file is.
    private static let digest: ByteString =
        "if command -v sha256sum >/dev/null; then sha256sum; elif command -v shasum >/dev/null; then shasum -a 256; "
        + "else openssl dgst -sha256 -r; fi"

    /// Returns the SHA-256 digest of a file in hexadecimal; nil if there is no program for it, or the file cannot be
    /// read.
    ///
    /// - Throws: Errors of `run`.
    func sha256(of path: ByteString) async throws(VTError) -> String? {
        let reply = try await run("{ " + Self.digest + "; } <" + ShellFileSystem.word(path))
        let digest = reply.output.prefix { $0 != UInt8(ascii: " ") }
        return reply.status == 0 && digest.count == 64 ? String(decoding: digest, as: UTF8.self) : nil
    }
}
