import Foundation

/// A directory of one test's own, removed with everything in it when the last reference goes.
///
/// Its path is short enough for Unix sockets (108 bytes, unix(7)).
package final class ScratchDirectory: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/vt-test-XXXXXX".utf8CString)
        guard let created = mkdtemp(&template) else { throw FixtureError("mkdtemp: errno \(errno)") }
        path = String(cString: created)
    }

    deinit {
        // A file that cannot be removed must not hide how the test ended.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the path of a name in the directory; nothing is made.
    package func path(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file, with the directories it needs, and returns its path.
    @discardableResult
    package func write(_ bytes: some Sequence<UInt8>, to name: String, mode: Int = 0o600) throws -> String {
        let file = path(name)
        try makeDirectory((name as NSString).deletingLastPathComponent)
        if mode & 0o111 == 0 {
            try Data(bytes).write(to: URL(fileURLWithPath: file))
        } else {
            try writeProgram(Data(bytes), to: file)
        }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return file
    }

    @discardableResult
    package func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        try write(text.utf8, to: name, mode: mode)
    }

    /// Writes a file that is to be run, by a process of its own.
    ///
    /// A process that another test starts in the same moment may inherit a descriptor that writes to the file, and while
    /// one is open nobody can run it (execve(2), ETXTBSY).
    private func writeProgram(_ bytes: Data, to file: String) throws {
        let source = "\(file).\(UUID().uuidString)"
        try bytes.write(to: URL(fileURLWithPath: source))
        let copy = try Process.run(URL(fileURLWithPath: "/bin/cp"), arguments: [source, file])
        copy.waitUntilExit()
        try FileManager.default.removeItem(atPath: source)
        guard copy.terminationStatus == 0 else { throw FixtureError("cannot write '\(file)'") }
    }

    /// Makes a directory, with those above it, and returns its path.
    @discardableResult
    package func makeDirectory(_ name: String) throws -> String {
        let directory = name.isEmpty ? path : path(name)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        return directory
    }

    /// Removes a file, or a directory with everything in it.
    package func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path(name))
    }

    package func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }
}

/// What kept a fixture from its work; a test that meets it fails.
package struct FixtureError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
