import Core
import Glibc
import System

/// The hook of a session's shell, in the session's private directory.
///
/// The hook reports prompts and commands with marks, and takes lines from a file when it receives a key. It is added
/// when the shell starts, without changing the user's files.
struct ShellIntegration {
    let kind: ShellKind
    /// Marks without this token do not count, so that other output cannot forge them.
    let token: String
    /// The number in the key that makes the hook take a line.
    private let key: Int
    private let directory: String
    /// The auxiliary vector of the shell's process.
    private var image: [UInt8]?

    /// Writes the hook, and changes the command and the environment so that the shell reads it.
    ///
    /// Returns nil if the program is not an interactive shell for which there is a hook.
    init?(_ files: SessionFiles, _ command: inout [ByteString], _ environment: inout [ByteString]) throws(VTError) {
        guard let launch = ShellLaunch(command, environment, directory: files.shell) else { return nil }
        kind = launch.kind
        token = RandomIdentifier.make()
        key = Int.random(in: 10_000...99_999)
        directory = files.shell
        guard unsafe mkdir(directory, 0o700) == 0 else {
            throw .system(errno, "cannot create '\(directory)'", fallback: .cannotCreate)
        }
        let values = [
            "TOKEN": token, "KEY": String(key), "DIR": kind.quoted(directory), "REQUEST": kind.quoted(linePath),
            "RUN": kind.quoted(runPath),
        ].merging(launch.values) { own, _ in own }
        for (name, template) in kind.files.start.merging(kind.files.line, uniquingKeysWith: { first, _ in first }) {
            var text = String(decoding: template, as: UTF8.self)
            for (name, value) in values { text = text.replacing("@\(name)@", with: value) }
            try Self.write(Array(text.utf8), to: "\(directory)/\(name)")
        }
        (command, environment) = (launch.command, launch.environment)
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(VTError) {
        let file = try AtomicFile(replacing: path)
        try file.write(bytes)
        try file.commit(isDurable: false)
    }

    // MARK: - Lines

    private var linePath: String { "\(directory)/line" }
    private var runPath: String { "\(directory)/run.\(kind.rawValue)" }

    /// Writes a line for the shell; without `input`, it reads the terminal.
    func offer(_ line: [UInt8], as request: UInt64, input: LineInput?) throws(VTError) {
        let line = input.map { kind.line(line, readingFrom: $0.path) } ?? line
        try Self.write(Array("\(request)\n".utf8) + line, to: linePath)
    }

    /// Appends to the input of a line, or to a new one.
    func append(_ bytes: [UInt8], to input: LineInput?) throws(VTError) -> LineInput {
        let input = input ?? LineInput(path: "\(directory)/input-\(RandomIdentifier.make())")
        let file = try FileDescriptor.open(input.path, O_WRONLY | O_CREAT | O_APPEND, fallback: .cannotCreate)
        let failure = BlockingIO.write(file.number, bytes)
        guard failure == 0 else { throw .system(failure, "cannot write '\(input.path)'") }
        return input
    }

    /// The input that makes the shell take the line, if there is one that it has not taken.
    ///
    /// Without a line editor, a short command is typed, after keys that remove what a person has typed.
    func keys(hasEditor: Bool) -> [UInt8] {
        switch kind {
        // fish 3 knows only the keys of usual terminals, with any modifier.
        case .fish: Array("\u{1B}[24;\(key)~".utf8)
        // `i` leaves the command mode of vi, ^E goes to the end of the line, and ^U deletes what is there. The
        // backslash keeps an alias from being used.
        case .sh: Array("i\u{05}\u{15} \\. \(kind.quoted(runPath))\n".utf8)
        case _ where hasEditor: Array("\u{1B}[99;\(key)~".utf8)
        case .bash, .zsh: Array("\u{15} . \(kind.quoted(runPath))\n".utf8)
        }
    }

    func removeLine() {
        unsafe unlink(linePath)
    }

    /// Removes the files that the shell has read, which contain the token.
    func removeHook() {
        for name in kind.files.start.keys { unsafe unlink("\(directory)/\(name)") }
    }

    // MARK: - The process

    /// Whether the shell's process runs another program, after `exec` in the shell.
    ///
    /// Each exec gives a process new addresses, which its auxiliary vector contains (getauxval(3)).
    mutating func isReplaced(_ processID: pid_t) -> Bool {
        guard let image = SmallFile.read("/proc/\(processID)/auxv"), !image.isEmpty else { return false }
        defer { self.image = self.image ?? image }
        return self.image.map { $0 != image } ?? false
    }
}
