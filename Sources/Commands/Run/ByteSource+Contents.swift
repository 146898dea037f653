import Core

extension ByteSource {
    /// Reads to the end.
    ///
    /// - Throws: `data.invalid` when there are more than `limit` bytes; `name` names the source.
    func contents(limit: Int, of name: String = "standard input") async throws(VTError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await read() {
            bytes += piece
            guard bytes.count <= limit else { throw VTError(.dataInvalid, "\(name) is longer than \(limit) bytes") }
        }
        return bytes
    }
}
