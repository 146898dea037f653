import Core
import Glibc
import System

/// How an interactive shell is started so that it reads a hook.
struct ShellLaunch {
    let kind: ShellKind
    /// The command and the environment with which the shell is to be started.
    private(set) var command: [ByteString]
    private(set) var environment: [ByteString]
    /// The values of placeholders in the hook: variables that the user had set, quoted for the shell.
    private(set) var values: [String: String] = [:]

    /// Options with which a shell is still an interactive shell that reads its usual files.
    private static let interactiveOptions: [ByteString] = ["-i", "-l", "-il", "-li", "--login"]

    /// `directory` will contain the files of the hook.
    ///
    /// Returns nil if the program is not an interactive shell for which there is a hook.
    init?(_ command: [ByteString], _ environment: [ByteString], directory: String) {
        guard let program = command.first?.text, let kind = Self.kind(of: program, command, environment) else {
            return nil
        }
        let isApplet = program.hasSuffix("busybox")
        let options = command.dropFirst(isApplet ? 2 : 1)
        guard options.allSatisfy(Self.interactiveOptions.contains) else { return nil }
        (self.kind, self.command, self.environment) = (kind, command, environment)
        let isLogin = program.hasPrefix("-") || options.contains { $0 != "-i" }
        prepare(in: directory, isLogin: isLogin, at: isApplet ? 2 : 1)
    }

    private mutating func prepare(in directory: String, isLogin: Bool, at index: Int) {
        switch kind {
        case .bash: break
        case .zsh: break
        case .fish: break
        case .sh:
            values["USER_ENV"] = take("ENV").map(kind.quoted) ?? "''"
            set("ENV", "\(directory)/env.sh")
        }
    }

    /// Removes a variable from the environment, and returns its value.
    private mutating func take(_ name: String) -> String? {
        let value = Self.value(of: name, in: environment)
        environment.removeAll { $0.bytes.starts(with: "\(name)=".utf8) }
        return value
    }

    private mutating func set(_ name: String, _ value: String) {
        environment.append(ByteString("\(name)=\(value)"))
    }

    private static func value(of name: String, in environment: [ByteString]) -> String? {
        let start = "\(name)=".utf8
        return environment.last { $0.bytes.starts(with: start) }.map { word in
            String(decoding: word.bytes.dropFirst(start.count), as: UTF8.self)
        }
    }

    // MARK: - The program

    private static func kind(
        of program: String,
        _ command: [ByteString],
        _ environment: [ByteString]
    ) -> ShellKind? {
        // A login shell can be marked by a hyphen before its name (login(1)).
        let name = program.hasPrefix("-") ? String(program.dropFirst()) : program
        let path = value(of: "PATH", in: environment) ?? ""
        guard let found = name.contains("/") ? name : ProgramPath.find(name, in: Environment(["PATH": path])),
            let real = unsafe realpath(found, nil)
        else { return nil }
        defer { unsafe free(real) }
        let called = baseName(name)
        switch baseName(unsafe String(cString: real)) {
        // With the name sh, bash follows POSIX and reads other files.
        case "bash": return called == "sh" ? nil : .bash
        case "zsh", "zsh5": return called == "sh" ? nil : .zsh
        case "fish": return .fish
        case "dash": return .sh
        case "busybox":
            let applet = called == "busybox" ? command.dropFirst().first?.text : called
            return applet == "ash" || applet == "sh" ? .sh : nil
        default: return nil
        }
    }

    private static func baseName(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
