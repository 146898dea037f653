import Core
import System

/// The text that makes the shells of a session print marks and take lines.
struct ShellHook {
    /// Marks without this token do not count, so that other output cannot forge them.
    let token: String
    /// The number in the key that makes the hook take a line.
    let key: Int
    let directory: String

    /// Creates the hook of a new session, and saves it for shells that vt does not start itself.
    init(in directory: String) throws(VTError) {
        (token, key, self.directory) = (RandomIdentifier.make(), Int.random(in: 10_000...99_999), directory)
        try write(Array("\(token) \(key)\n".utf8), to: "key")
    }

    /// Opens the hook of a session; returns nil if the session's program is not an integrated shell.
    init?(of files: SessionFiles) {
        let words = FileContents.smallLines("\(files.shell)/key").first?.split(separator: " ") ?? []
        guard words.count == 2, let key = Int(words[1]) else { return nil }
        (token, self.key, directory) = (String(words[0]), key, files.shell)
    }

    var linePath: String { "\(directory)/line" }

    /// The script that runs a line in a shell without a line editor.
    func runPath(_ kind: ShellKind) -> String { "\(directory)/run.\(kind.rawValue)" }

    /// Writes a file in the private directory.
    func write(_ bytes: [UInt8], to name: String) throws(VTError) {
        try FileContents.replace("\(directory)/\(name)", with: bytes, isDurable: false)
    }

    /// Writes the files that a shell reads when vt starts it.
    func writeStart(of kind: ShellKind, _ values: [String: String]) throws(VTError) {
        let values = self.values(for: kind).merging(values) { own, _ in own }
        try write(Array(kind.start(values).utf8), to: kind.startName)
        try writeLine(of: kind)
    }

    /// Returns the text that loads the hook into a shell that is reading the user's files.
    func nested(_ kind: ShellKind) throws(VTError) -> String {
        try writeLine(of: kind)
        return kind.hook(values(for: kind))
    }

    private func writeLine(of kind: ShellKind) throws(VTError) {
        if let script = kind.run { try write(script, to: "run.\(kind.rawValue)") }
    }

    private func values(for kind: ShellKind) -> [String: String] {
        [
            "TOKEN": token, "SECRET": kind.quoted("\(directory)/key"), "KEY": String(key),
            "REQUEST": kind.quoted(linePath),
            "SHELL": "\(kind.rawValue);\(RandomIdentifier.make())",
        ]
    }
}
