import Core
import Runtime

/// Patterns with `*` and `?` in the paths of files.
extension FileSystem {
    /// Returns the files that a path denotes, sorted: those that match it if it is a pattern, or the path itself if a
    /// file has this name or the path is not a pattern.
    ///
    /// As in a shell, names that start with a period match only patterns that also start with a period.
    ///
    /// - Throws: `not-found` if no file matches; `io` if a directory cannot be listed.
    package func files(matching path: ByteString) async throws(VTError) -> [ByteString] {
        guard Wildcard.isPattern(path.bytes), try await attributes(of: path, followsLinks: false) == nil else {
            return [path]
        }
        let parts = path.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
        var found: [ByteString] = [path.bytes.first == UInt8(ascii: "/") ? "/" : ""]
        for part in parts {
            var next: [ByteString] = []
            for directory in found {
                if Wildcard.isPattern(part) {
                    next += try await names(in: directory, matching: Array(part)).map { directory.appending($0) }
                } else {
                    next.append(directory.appending(ByteString(part)))
                }
            }
            found = next
        }
        guard !found.isEmpty else { throw VTError(.notFound, "no file matches '\(path.repairedText)'") }
        return found
    }

    private func names(in directory: ByteString, matching pattern: [UInt8]) async throws(VTError) -> [ByteString] {
        let reader: any DirectoryReader
        do throws(VTError) {
            reader = try await list(directory.bytes.isEmpty ? "." : directory)
        } catch {
            // The matches of an earlier part of the path need not be directories.
            guard error.code == .notFound else { throw error }
            return []
        }
        let includesHidden = pattern.first == UInt8(ascii: ".")
        return try await withCleanup(reader.close) { () async throws(VTError) in
            var names: [ByteString] = []
            while let entries = try await reader.next() {
                names += entries.map(\.name).filter { name in
                    (includesHidden || name.bytes.first != UInt8(ascii: ".")) && Wildcard.matches(pattern, name.bytes)
                }
            }
            return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        }
    }
}
