import Core
import Glibc
import System

/// The hook of a session's shell, in the session's private directory.
///
/// The hook reports prompts and commands with marks, and takes lines from a file when it receives a key. It is added
/// when the shell starts, without changing the user's files.
struct ShellIntegration {
    /// A file with the input of a line, which is removed when it is no longer needed.
    final class Input {
        let path: String

        fileprivate init(path: String) {
            self.path = path
        }

        deinit {
            unsafe unlink(path)
        }
    }

    /// The shell that is at its prompt, or was last.
    var kind: ShellKind {
        didSet { image = nil }
    }
    var token: String { hook.token }
    private let hook: ShellHook
    /// The file with the hook that the shell reads at its start.
    private let start: String
    /// The auxiliary vector of the shell's process.
    private var image: [UInt8]?

    /// Writes the hook, and changes the command and the environment so that the shell reads it.
    ///
    /// Returns nil if the program is not an interactive shell for which there is a hook.
    init?(_ files: SessionFiles, _ command: inout [ByteString], _ environment: inout [ByteString]) throws(VTError) {
        guard let launch = ShellLaunch(command, environment, directory: files.shell) else { return nil }
        kind = launch.kind
        guard unsafe mkdir(files.shell, 0o700) == 0 else {
            throw .system(errno, "cannot create '\(files.shell)'", fallback: .cannotCreate)
        }
        hook = try ShellHook(in: files.shell)
        start = "\(files.shell)/\(kind.startName)"
        try hook.writeStart(of: kind, launch.values)
        (command, environment) = (launch.command, launch.environment)
    }

    // MARK: - Lines

    /// Writes a line for the shell; without `input`, it reads the terminal.
    func offer(_ line: [UInt8], as request: UInt64, input: Input?) throws(VTError) {
        let line = input.map { kind.line(line, readingFrom: $0.path) } ?? line
        try hook.write(Array("\(request)\n".utf8) + line, to: "line")
    }

    /// Appends to the input of a line, or to a new one.
    func append(_ bytes: [UInt8], to input: Input?) throws(VTError) -> Input {
        let input = input ?? Input(path: "\(hook.directory)/input-\(RandomIdentifier.make())")
        let file = try FileDescriptor.open(input.path, O_WRONLY | O_CREAT | O_APPEND, fallback: .cannotCreate)
        let failure = BlockingIO.write(file.number, bytes)
        guard failure == 0 else { throw .system(failure, "cannot write '\(input.path)'") }
        return input
    }

    /// Writes a request for the shell's environment, which the hook writes to a file; before that, it reads the file with
    /// this name and the suffix `.load`, if there is one.
    func requestEnvironment(in path: String) throws(VTError) {
        try hook.write(Array("env\n\(path)".utf8), to: "line")
    }

    /// Writes a request to show the prompt again.
    func requestPrompt() throws(VTError) {
        try hook.write(Array("prompt\n".utf8), to: "line")
    }

    /// The input that makes the shell take the line, if there is one that it has not taken.
    ///
    /// Without a line editor, a short command is typed, after keys that remove what a person has typed.
    func keys(hasEditor: Bool) -> [UInt8] {
        switch kind {
        // fish 3 knows only the keys of usual terminals, with any modifier.
        case .fish: Array("\u{1B}[24;\(hook.key)~".utf8)
        // `i` leaves the command mode of vi, ^E goes to the end of the line, and ^U deletes what is there. The
        // backslash keeps an alias from being used.
        case .sh: Array("i\u{05}\u{15} \\. \(kind.quoted(hook.runPath(kind)))\n".utf8)
        case _ where hasEditor: Array("\u{1B}[99;\(hook.key)~".utf8)
        case .bash, .zsh: Array("\u{15} . \(kind.quoted(hook.runPath(kind)))\n".utf8)
        }
    }

    func removeLine() {
        unsafe unlink(hook.linePath)
    }

    /// Removes the file that the shell has read.
    func removeHook() {
        unsafe unlink(start)
    }

    // MARK: - The process

    /// Notes which program a shell's process runs, unless that is known.
    mutating func rememberImage(of processID: pid_t) {
        image = image ?? Self.image(of: processID)
    }

    /// Whether the shell's process runs another program than noted, after `exec` in the shell.
    func isReplaced(_ processID: pid_t) -> Bool {
        guard let image, let current = Self.image(of: processID) else { return false }
        return image != current
    }

    /// Each exec gives a process new addresses, which its auxiliary vector contains (getauxval(3)).
    private static func image(of processID: pid_t) -> [UInt8]? {
        FileContents.readSmall("/proc/\(processID)/auxv").flatMap { $0.isEmpty ? nil : $0 }
    }
}
