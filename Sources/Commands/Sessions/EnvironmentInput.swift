import Core

/// Variables that another vt sends on standard input, where no process list shows them.
enum EnvironmentInput {
    /// No system takes so much environment (ARG_MAX of execve(2) is a quarter of the stack's 8 MiB).
    private static let limitBytes = 8 << 20

    /// Reads `NAME=VALUE`, each ended by a NUL byte, to the end of the input, which has just `count` bytes.
    ///
    /// - Throws: `data.invalid` when it has not, `usage` for what is no variable.
    static func read(count: Int, from source: any ByteSource) async throws(VTError) -> [EnvironmentVariable] {
        guard count <= limitBytes else {
            throw VTError(.dataInvalid, "\(count) bytes of environment variables are too many")
        }
        var bytes: [UInt8] = []
        while bytes.count <= count, let piece = try await source.read() { bytes += piece }
        guard bytes.count == count, bytes.last == 0 || bytes.isEmpty else {
            throw VTError(.dataInvalid, "standard input ended before \(count) bytes of environment variables")
        }
        return try bytes.split(separator: 0).map { word throws(VTError) in
            try EnvironmentVariable(String(decoding: word, as: UTF8.self))
        }
    }
}
