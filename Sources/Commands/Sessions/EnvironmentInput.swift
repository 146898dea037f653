import Core

/// Environment variables that vt on another machine sends on standard input, to keep them out of process lists.
enum EnvironmentInput {
    /// The maximum size, larger than any environment: execve(2) limits arguments and environment together to a quarter
    /// of the stack limit (8 MiB by default).
    private static let limitBytes = 8 << 20

    /// Reads `NAME=VALUE` entries, each terminated by NUL, from an input of exactly `count` bytes.
    ///
    /// - Throws: `data.invalid` when the length differs or exceeds the limit, `usage` for an invalid variable.
    static func read(count: Int, from source: any ByteSource) async throws(VTError) -> [EnvironmentVariable] {
        guard count <= limitBytes else {
            throw VTError(.dataInvalid, "\(count) bytes of environment variables exceed the limit of \(limitBytes)")
        }
        var bytes: [UInt8] = []
        while bytes.count <= count, let piece = try await source.read() { bytes += piece }
        guard bytes.count == count, bytes.last == 0 || bytes.isEmpty else {
            throw VTError(.dataInvalid, "expected \(count) bytes of environment variables on standard input")
        }
        return try bytes.split(separator: 0).map { word throws(VTError) in
            try EnvironmentVariable(String(decoding: word, as: UTF8.self))
        }
    }
}
