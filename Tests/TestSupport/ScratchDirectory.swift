import Foundation

/// A test's own directory, removed with its contents when the last reference is released.
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
        // A file that cannot be removed must not hide the test's result.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the path of a file in the directory, without creating the file.
    package func path(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file, creating missing directories, and returns its path.
    @discardableResult
    package func write(_ bytes: some Sequence<UInt8>, to name: String, mode: Int = 0o600) throws -> String {
        let file = path(name)
        try makeDirectory((name as NSString).deletingLastPathComponent)
        if mode & 0o111 == 0 {
            try Data(bytes).write(to: URL(fileURLWithPath: file))
        } else {
            try Self.writeProgram(bytes, to: file)
        }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return file
    }

    @discardableResult
    package func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        try write(text.utf8, to: name, mode: mode)
    }

    /// Writes an executable file to a path, with mode 0755.
    package static func writeProgram(_ text: String, to path: String) throws {
        try writeProgram(text.utf8, to: path)
    }

    private static func writeProgram(_ bytes: some Sequence<UInt8>, to path: String) throws {
        let source = "\(path).\(UUID().uuidString)"
        try Data(bytes).write(to: URL(fileURLWithPath: source))
        defer { try? FileManager.default.removeItem(atPath: source) }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: source)
        try copyProgram(source, to: path)
    }

    /// Copies an executable file in a separate process.
    ///
    /// Otherwise, a process that another test starts at the same time could inherit a descriptor that is open for
    /// writing, which would prevent executing the file (execve(2), ETXTBSY).
    package static func copyProgram(_ source: String, to path: String) throws {
        let copy = try Process.run(URL(fileURLWithPath: "/bin/cp"), arguments: ["-p", source, path])
        copy.waitUntilExit()
        guard copy.terminationStatus == 0 else { throw FixtureError("cannot copy to '\(path)'") }
    }

    /// Creates a directory, including missing parents, and returns its path.
    @discardableResult
    package func makeDirectory(_ name: String) throws -> String {
        let directory = name.isEmpty ? path : path(name)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        return directory
    }

    /// Removes a file, or a directory with its contents.
    package func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path(name))
    }

    package func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }
}

/// A failure of a fixture, which makes the test fail.
package struct FixtureError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
