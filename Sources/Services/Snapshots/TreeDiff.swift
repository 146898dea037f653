import Core
import Runtime
import Synchronization

/// Prints the differences between two states of a tree, as git does.
struct TreeDiff: Sendable {
    /// A state of a tree: a snapshot, or the current one.
    struct Side: Sendable {
        /// The ID of the tree of git.
        var objectID: String
        var manifest: Manifest
    }

    let git: Git
    let old: Side
    let new: Side
    let request: DiffRequest

    /// Passes the differences to the sink in the requested format; returns whether there are any.
    func write(to sink: any ByteSink) async throws(VTError) -> Bool {
        let modes = try await changedModes()
        let hasOutput = Mutex(false)
        let output = CallbackSink { bytes async throws(VTError) in
            guard !bytes.isEmpty else { return }
            hasOutput.withLock { $0 = true }
            try await sink.write(bytes)
        }
        switch request.format {
        case .patch:
            try await run(["-p"], output)
            try await output.write(modes.flatMap(patch))
        case .stat:
            try await run(["--stat"], output)
            try await output.write(modes.flatMap { Array(" \(Self.quoted($0)) | mode only\n".utf8) })
        case .nameStatus:
            try await run(["--name-status"], output)
            try await output.write(modes.flatMap { Array("M\t\(Self.quoted($0))\n".utf8) })
        case .files:
            for change in try await files() + modes.map(modeChange) { try await output.write(change.jsonLine) }
        }
        return hasOutput.withLock { $0 }
    }

    private func run(_ options: [ByteString], _ sink: any ByteSink) async throws(VTError) {
        let color: ByteString = request.usesColor ? "--color=always" : "--no-color"
        try await git.run(words(["-M", "--no-ext-diff", "--no-textconv", color] + options), to: sink)
    }

    private func words(_ options: [ByteString]) -> [ByteString] {
        ["--literal-pathspecs", "diff-tree", "-r"] + options + [
            ByteString(old.objectID), ByteString(new.objectID), "--",
        ] + request.paths
    }

    // MARK: - Permissions

    /// The files of which only permissions differ that git does not save.
    private func changedModes() async throws(VTError) -> [ByteString] {
        let differing = old.manifest.files.filter { path, mode in
            guard let other = new.manifest.files[path], other != mode else { return false }
            return request.paths.isEmpty || request.paths.contains { path.isBelowOrEqual($0) }
        }
        guard !differing.isEmpty else { return [] }
        let output = try await git.output(words(["-z", "--raw", "--no-renames"]))
        let known = Set(try TreeChange.parse(output).map(\.path))
        return differing.keys.filter { !known.contains($0) }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    private func patch(_ path: ByteString) -> [UInt8] {
        let header = "diff --git \(Self.quoted("a/" + path)) \(Self.quoted("b/" + path))\n"
        let modes = [("old", old), ("new", new)].map { name, side in
            "\(name) mode 10\((side.manifest.files[path] ?? 0).octal())\n"
        }
        return Array((header + modes.joined()).utf8)
    }

    private func modeChange(_ path: ByteString) -> FileChange {
        var change = FileChange(path, .modified)
        change.oldMode = old.manifest.files[path].map { $0.octal() }
        change.newMode = new.manifest.files[path].map { $0.octal() }
        return change
    }

    /// A path as git prints it: in double quotes with escapes unless it is plain (core.quotePath, git-config(1)).
    private static func quoted(_ path: ByteString) -> String {
        let plain = UInt8(ascii: " ")...UInt8(ascii: "~")
        let special = [UInt8(ascii: "\""), UInt8(ascii: "\\")]
        guard !path.bytes.allSatisfy({ plain.contains($0) && !special.contains($0) }) else { return path.repairedText }
        let letters: [UInt8: String] = [7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: "\"", 92: "\\"]
        let escaped = path.bytes.map { byte in
            if let letter = letters[byte] { return "\\\(letter)" }
            if plain.contains(byte) { return String(decoding: [byte], as: UTF8.self) }
            return "\\" + byte.octal(digits: 3)
        }
        return "\"\(escaped.joined())\""
    }

    // MARK: - Files

    /// The files that git finds different.
    private func files() async throws(VTError) -> [FileChange] {
        let output = try await git.output(
            words(["-z", "-M", "--raw", "--numstat", "--no-ext-diff", "--no-textconv"])
        )
        var parts = output.split(separator: 0, omittingEmptySubsequences: false)[...]
        var changes: [FileChange] = []
        while let part = parts.first, part.first == UInt8(ascii: ":") {
            changes.append(try raw(&parts))
        }
        for index in changes.indices {
            let tab = UInt8(ascii: "\t")
            let words = parts.popFirst()?.split(separator: tab, maxSplits: 2, omittingEmptySubsequences: false) ?? []
            guard words.count == 3 else { throw Git.unexpectedOutput("diff-tree") }
            // The names of a renamed file follow.
            if words[2].isEmpty { parts = parts.dropFirst(2) }
            changes[index].addedLines = Int(String(decoding: words[0], as: UTF8.self))
            changes[index].deletedLines = Int(String(decoding: words[1], as: UTF8.self))
        }
        return changes
    }

    /// Parses `:OLDMODE NEWMODE OLDOBJECT NEWOBJECT STATUS NUL PATH NUL`, with a second path for a renamed file.
    private func raw(_ parts: inout ArraySlice<ArraySlice<UInt8>>) throws(VTError) -> FileChange {
        let words = parts.removeFirst().dropFirst().split(separator: UInt8(ascii: " "))
        guard words.count == 5, let letter = words[4].first, let path = parts.popFirst(),
            let status = FileChange.Status(rawValue: String(decoding: [letter], as: UTF8.self))
        else { throw Git.unexpectedOutput("diff-tree") }
        var change = FileChange(ByteString(path), status)
        if status == .renamed || status == .copied {
            guard let newPath = parts.popFirst() else { throw Git.unexpectedOutput("diff-tree") }
            change.oldPath = change.path
            change.path = ByteString(newPath)
        }
        change.oldMode = mode(words[0], old.manifest.files[change.oldPath ?? change.path])
        change.newMode = mode(words[1], new.manifest.files[change.path])
        return change
    }

    /// The permissions of a file with a mode of git; nil if it does not exist.
    private func mode(_ word: ArraySlice<UInt8>, _ mode: UInt16?) -> String? {
        switch ByteString(word) {
        case "120000": "link"
        case "000000": nil
        default: mode.map { $0.octal() }
        }
    }
}
