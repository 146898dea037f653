import Core
import Runtime

/// Reading whole files and directories.
extension FileSystem {
    /// Returns the attributes of a file; nil if it does not exist, or if the system does not permit to examine it.
    ///
    /// - Throws: `io`.
    func permittedAttributes(of path: ByteString, followsLinks: Bool) async throws(VTError) -> FileAttributes? {
        do throws(VTError) {
            return try await attributes(of: path, followsLinks: followsLinks)
        } catch {
            guard error.isRefusal else { throw error }
            return nil
        }
    }

    /// Writes the contents of a file to a sink, at most `limitBytes`.
    ///
    /// - Throws: `not-found`; `io`, also for a directory; errors of the sink.
    package func read(
        _ path: ByteString,
        limitBytes: UInt64 = .max,
        to sink: any ByteSink
    ) async throws(VTError) {
        let file = try await open(path)
        do throws(VTError) {
            let attributes = try await file.attributes()
            guard attributes.kind != .directory else {
                throw VTError(.io, "cannot read '\(path.repairedText)': it is a directory")
            }
            try await FileStream(file, sizeBytes: attributes.sizeBytes ?? 0, limitBytes: limitBytes).write(to: sink)
        } catch {
            // The earlier failure is the one to report.
            try? await file.close()
            throw error
        }
        try await file.close()
    }

    /// Returns the entries of a directory, directories first and then by name, or the single entry of a file.
    ///
    /// Returns at most `limit` entries, which also bounds the memory use, and whether there are more.
    ///
    /// - Throws: `not-found`, `io`.
    package func entries(
        of path: ByteString,
        limit: Int
    ) async throws(VTError) -> (entries: [DirectoryEntry], isCut: Bool) {
        guard let attributes = try await attributes(of: path, followsLinks: true) else {
            throw VTError(.notFound, "'\(path.repairedText)' does not exist")
        }
        guard attributes.kind == .directory else {
            return ([DirectoryEntry(name: path, attributes: attributes)], false)
        }
        let reader = try await list(path)
        return try await withCleanup(reader.close) { () async throws(VTError) in
            var entries: [DirectoryEntry] = []
            var isCut = false
            while let more = try await reader.next() {
                entries += more
                guard entries.count > 2 * limit else { continue }
                entries = first(limit, of: entries)
                isCut = true
            }
            return (first(limit, of: entries), isCut || entries.count > limit)
        }
    }

    private func first(_ count: Int, of entries: [DirectoryEntry]) -> [DirectoryEntry] {
        let sorted = entries.sorted { left, right in
            let (isLeft, isRight) = (left.attributes.kind == .directory, right.attributes.kind == .directory)
            guard isLeft == isRight else { return isLeft }
            return left.name.bytes.lexicographicallyPrecedes(right.name.bytes)
        }
        return Array(sorted.prefix(count))
    }
}
