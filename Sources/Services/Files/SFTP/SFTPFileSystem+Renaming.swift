import Core
import Runtime

/// Renaming files on servers that do not replace an existing file.
extension SFTPFileSystem {
    func rename(_ path: ByteString, to newPath: ByteString) async throws(VTError) {
        let what = "cannot rename the new file to '\(newPath.repairedText)'"
        if client.supports(.replace), try await succeeds(.replace(path, with: newPath)) { return }
        let reply = try await client.perform(.rename(path, to: newPath))
        guard let failure = client.failure(reply, doing: what) else { return }
        // A file that cannot be examined cannot be replaced safely.
        let present = try? await attributes(of: newPath, followsLinks: false)?.kind
        guard present != nil, present != .directory else { throw cannotRename(failure) }
        // Even if the task is canceled, the file exists afterward.
        let replacement = Task.onCurrentExecutor {
            await Result { () async throws(VTError) in
                // Moving a link aside could move the file to which it refers.
                guard present != .link else {
                    try await remove(newPath)
                    return try await client.complete(.rename(path, to: newPath), doing: what, fallback: .cannotCreate)
                }
                try await replace(newPath, with: path, what)
            }
        }
        try await replacement.value.get()
    }

    /// Moves a file aside, puts another one in its place, and removes it; moves it back if that fails.
    private func replace(_ path: ByteString, with newFile: ByteString, _ what: String) async throws(VTError) {
        let old = path.temporaryPath(ending: "old-\(RandomIdentifier.make())")
        // Sent together, so that the path exists as long as possible; the second fails if the first one does.
        let first = client.submit(.rename(path, to: old))
        let second = client.submit(.rename(newFile, to: path))
        if let failure = try await client.failure(client.reply(first), doing: what) {
            _ = try? await client.reply(second)
            throw cannotRename(failure)
        }
        if let failure = try await client.failure(client.reply(second), doing: what) {
            try await client.complete(
                .rename(old, to: path),
                doing: "\(what), nor '\(old.repairedText)' back to '\(path.repairedText)'"
            )
            throw cannotRename(failure)
        }
        try await remove(old)
    }

    /// The error for a file that cannot be renamed.
    private func cannotRename(_ failure: VTError) -> VTError {
        var failure = failure
        if failure.code == .io { failure.code = .cannotCreate }
        return failure
    }

    private func succeeds(_ request: SFTPRequest) async throws(VTError) -> Bool {
        client.failure(try await client.perform(request), doing: "") == nil
    }
}
