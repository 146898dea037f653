import Foundation
import TestSupport
import Testing

/// A shell that runs in a session: one of the machine, or one whose path is in `VT_TEST_SHELLS`.
struct TestShell: Sendable, CustomTestStringConvertible {
    enum Family {
        case bash, zsh, fish, sh
    }

    let family: Family
    let command: [String]

    static let all: [Self] =
        [
            Self(family: .bash, command: ["bash"]), Self(family: .zsh, command: ["zsh"]),
            Self(family: .fish, command: ["fish"]), Self(family: .sh, command: ["dash"]),
            Self(family: .sh, command: ["busybox", "ash"]),
        ] + named

    /// The shells in `VT_TEST_SHELLS`, paths separated by colons; the names of the files tell the families.
    private static let named: [Self] = {
        let paths = ProcessInfo.processInfo.environment["VT_TEST_SHELLS"]?.split(separator: ":") ?? []
        return paths.map { path in
            switch path.split(separator: "/").last {
            case "bash": Self(family: .bash, command: [String(path)])
            case "zsh": Self(family: .zsh, command: [String(path)])
            case "fish": Self(family: .fish, command: [String(path)])
            case "busybox": Self(family: .sh, command: [String(path), "ash"])
            case "dash": Self(family: .sh, command: [String(path)])
            default: preconditionFailure("VT_TEST_SHELLS: '\(path)' is not a shell that vt knows")
            }
        }
    }()

    /// Starts a session with the shell in the home directory.
    func start(_ session: String, _ configuration: ShellConfiguration = .init("plain"), with vt: Vt) async throws {
        var files = configuration.files
        var environment = configuration.environment
        if let text = configuration.text {
            files[startFile] = text + "\n"
            if family == .sh { environment["ENV"] = "$HOME/\(startFile)" }
        }
        for (path, text) in files {
            let url = URL(fileURLWithPath: "\(vt.home)/\(path)")
            let directory = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        let variables = environment.flatMap {
            ["--env", "\($0)=\($1.replacingOccurrences(of: "$HOME", with: vt.home))"]
        }
        let options = ["--cwd", vt.home, "--size", configuration.size] + variables
        let words = ["sessions", "create", session] + options + ["--"] + command + configuration.arguments
        try await vt.call(words).check()
    }

    /// The file that interactive shells of the family read, in the home directory.
    private var startFile: String {
        switch family {
        case .bash: ".bashrc"
        case .zsh: ".zshrc"
        case .fish: ".config/fish/config.fish"
        case .sh: ".shrc"
        }
    }

    var testDescription: String { command.joined(separator: " ") }

    /// How the shell prints its own process ID.
    var processID: String { family == .fish ? "$fish_pid" : "$$" }
}
