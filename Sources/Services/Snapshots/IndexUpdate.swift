import Core
import Glibc
import System

/// Has git read files of a tree into an index, again if they change in the meantime.
struct IndexUpdate: Sendable {
    let git: Git
    let root: TreeDirectory
    /// The name of the index.
    let index: String

    /// How often files that change while they are read are read again.
    private static let attempts = 3

    /// Reads the selected files, and removes the others; the selection gets the attributes of what has been read, and
    /// the files that git did not take: it silently ignores those whose names have a meaning for it.
    ///
    /// git would not read the `hidden` files again.
    ///
    /// - Throws: `busy` when files keep changing.
    func write(_ selection: inout TreeSelection, hidden: [ByteString]) async throws(VTError) {
        // git reads a file that has been removed from the index even if its attributes are equal for git.
        try await remove(selection.gone + hidden)
        var statuses = selection.present
        var rest = statuses
        var refused: [ByteString] = []
        for attempt in 1...Self.attempts where !rest.isEmpty {
            if attempt > 1 { try await remove(Array(rest.keys)) }
            let words: [ByteString] = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"]
            let input = Self.list(Array(rest.keys))
            do throws(VTError) {
                _ = try await git.output(words, index: index, input: input, contentBytes: selection.sizeBytes)
                (rest, refused) = try check(&statuses)
            } catch {
                // git fails if a file becomes shorter while it is read.
                let changed = try changed(rest)
                guard error.code == .io, !changed.isEmpty, attempt < Self.attempts else { throw error }
                for case (let path, let status?) in changed {
                    rest[path] = status
                    statuses[path] = status
                }
            }
        }
        if let path = rest.keys.first {
            throw VTError(
                .busy,
                "'\(path.repairedText)' changed each time it was read",
                hint: "take the snapshot when nothing writes to the tree, or leave out the file with --exclude"
            )
        }
        try await remove(refused)
        for path in refused { statuses[path] = nil }
        selection.finish(statuses, refused: refused)
    }

    /// The files that must be read again, whose attributes are updated, and those that git did not take.
    private func check(
        _ statuses: inout [ByteString: stat]
    ) throws(VTError) -> (rest: [ByteString: stat], refused: [ByteString]) {
        let changed = try changed(statuses)
        guard let read = try IndexFile(at: "\(git.directory)/\(index)") else {
            throw Git.unexpectedOutput("update-index")
        }
        var rest: [ByteString: stat] = [:]
        var refused: [ByteString] = []
        for (path, old) in statuses {
            let status = changed[path] ?? old
            let entry = read.entry(of: path)
            if let status, changed[path] != nil {
                rest[path] = status
                statuses[path] = status
            } else if let status {
                let isTaken = entry.map { read.isOfKind($0, status) } ?? false
                if !isTaken { refused.append(path) }
                if isTaken, let entry, !read.isRead(entry, from: status) { rest[path] = status }
            } else if entry == nil {
                // It has been removed, and git has noticed.
                statuses[path] = nil
            } else {
                rest[path] = old
            }
        }
        return (rest, refused)
    }

    /// The files that are not in the given versions any more, with their current attributes; nil if there are none.
    private func changed(_ statuses: [ByteString: stat]) throws(VTError) -> [ByteString: stat?] {
        var changed: [ByteString: stat?] = [:]
        var directory: (path: ByteString, opened: TreeDirectory?)?
        for path in statuses.keys.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            guard let status = statuses[path] else { continue }
            let parent = path.parentDirectories.first ?? ""
            if directory?.path != parent { directory = (parent, try root.directory(parent)) }
            let current = try directory?.opened?.status(path.lastName)
            if current.map({ FileVersion($0) }) != FileVersion(status) { changed[path] = .some(current) }
        }
        return changed
    }

    private func remove(_ paths: [ByteString]) async throws(VTError) {
        guard !paths.isEmpty else { return }
        let words: [ByteString] = ["update-index", "--force-remove", "-z", "--stdin"]
        _ = try await git.output(words, index: index, input: Self.list(paths))
    }

    private static func list(_ paths: [ByteString]) -> [UInt8] {
        var bytes: [UInt8] = []
        for path in paths { bytes += path.bytes + [0] }
        return bytes
    }
}
