import Core
import Glibc
import System

/// Reads ssh_config(5) files and everything they include.
struct SSHConfigLoader {
    /// The directory to which relative paths of included files refer; nil if it is unknown.
    let directory: String?
    /// The directory that `~` stands for in the paths of included files; nil if it must not be used.
    let home: String?

    /// The maximum nesting of includes (readconf.c, READCONF_MAX_DEPTH), which also stops recursive includes.
    private static let depthLimit = 16

    /// Returns nil if there is no such file.
    ///
    /// - Throws: `io`, `data.invalid` with file and line; `config` when another user owns or can change an included
    ///   file or, if `isPrivate`, the file itself.
    func load(_ path: String, isPrivate: Bool) throws(VTError) -> [SSHConfigNode]? {
        guard let bytes = try isPrivate ? Self.readPrivate(path) : FileContents.read(path) else { return nil }
        return try nodes(bytes, file: path, depth: 0)
    }

    /// Reads a file unless another user owns or can change it, because it can contain commands; nil if it does not
    /// exist (readconf.c, SSHCONF_CHECKPERM).
    private static func readPrivate(_ path: String) throws(VTError) -> [UInt8]? {
        guard let file = try OpenFile(reading: path) else { return nil }
        do throws(VTError) {
            try TrustedPath.check(try file.status(), of: path)
        } catch {
            guard error.code == .config else { throw error }
            let word = ByteString(path).shellQuoted.repairedText
            throw VTError(
                .config,
                "bad owner or permissions: \(error.message)",
                hint: "make the file your own: chown \(LinuxProcess.userID) \(word) && chmod go-w \(word)"
            )
        }
        return try file.readToEnd(limit: FileContents.limitBytes)
    }

    private func nodes(_ bytes: [UInt8], file: String, depth: Int) throws(VTError) -> [SSHConfigNode] {
        var nodes: [SSHConfigNode] = []
        var number = 0
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
        // Split bytes rather than characters, because CR LF is one character.
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let text = String(decoding: part, as: UTF8.self)
            guard let line = try Self.line(text, at: SSHSetting.Place(file: file, line: number)) else { continue }
            // Only a comment may have another encoding.
            let words = [line.spelling] + line.words
            guard !words.contains(where: { $0.contains("\u{FFFD}") }) || String(validating: part, as: UTF8.self) != nil
            else { throw line.error("not UTF-8") }
            if line.name == "include" {
                nodes.append(.include(try included(by: line, depth: depth)))
            } else {
                nodes.append(.line(line))
            }
        }
        return nodes
    }

    /// Returns nil for a blank line or a comment.
    ///
    /// - Throws: `data.invalid` when a keyword has no value or a quote is unterminated.
    private static func line(_ text: String, at place: SSHSetting.Place) throws(VTError) -> SSHSetting? {
        var text = text[...]
        while let last = text.last, last.isWhitespace { text.removeLast() }
        guard let first = text.first(where: { $0 != " " && $0 != "\t" }), first != "#" else { return nil }
        guard let setting = SSHSetting(parsing: text, at: place) else {
            throw place.error("expected a keyword and a value, with all quotes closed")
        }
        return setting
    }

    private func included(by line: SSHSetting, depth: Int) throws(VTError) -> [[SSHConfigNode]] {
        guard depth < Self.depthLimit else { throw line.error("too many nested Include directives") }
        var files: [[SSHConfigNode]] = []
        for pattern in line.words {
            for path in paths(try absolute(pattern, line)) {
                // As in ssh, a missing file is not an error.
                guard let bytes = try Self.readPrivate(path) else { continue }
                files.append(try nodes(bytes, file: path, depth: depth + 1))
            }
        }
        return files
    }

    private func absolute(_ pattern: String, _ line: SSHSetting) throws(VTError) -> String {
        if pattern.hasPrefix("~/") {
            guard let home else { throw line.error("'~' cannot be used here") }
            return home + pattern.dropFirst()
        }
        guard !pattern.hasPrefix("/") else { return pattern }
        guard let directory else { throw line.error("a relative path cannot be used without a home directory") }
        return "\(directory)/\(pattern)"
    }

    /// The files that match a pattern, in lexical order; the corresponding C function is `glob`.
    private func paths(_ pattern: String) -> [String] {
        var result = unsafe glob_t()
        defer { unsafe globfree(&result) }
        guard unsafe glob(pattern, 0, nil, &result) == 0 else { return [] }
        var paths: [String] = []
        for index in 0..<Int(unsafe result.gl_pathc) {
            guard let path = unsafe result.gl_pathv[index] else { continue }
            paths.append(unsafe String(cString: path))
        }
        return paths
    }
}
