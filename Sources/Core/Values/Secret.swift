/// A password or passphrase in memory.
///
/// Its description is a placeholder, so that no message can contain the secret.
package struct Secret: Equatable, Sendable {
    /// The bytes of the secret; they contain no NUL.
    package let bytes: [UInt8]

    /// - Throws: `config` when the bytes contain NUL, which C interfaces cannot represent.
    package init(_ bytes: [UInt8]) throws(VTError) {
        guard !bytes.contains(0) else { throw VTError(.config, "a secret cannot contain a NUL byte") }
        self.bytes = bytes
    }

    /// Uses the first line read from a file, a command or standard input.
    ///
    /// The line end, LF or CR LF, is removed.
    ///
    /// - Throws: `config` when the first line is empty or contains NUL.
    package init(firstLineOf data: [UInt8], from source: String) throws(VTError) {
        var line = data.prefix { $0 != UInt8(ascii: "\n") }
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        guard !line.isEmpty else { throw VTError(.config, "\(source) did not contain a secret") }
        try self.init(Array(line))
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<secret>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
