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
    private static let plainOptions: [ByteString] = ["-i", "-l", "-il", "-li", "--login"]
    /// Options of bash and zsh that take an argument.
    private static let settingOptions: [ByteString] = ["-o", "+o"]
    private static let unusualSettings: [ByteString] = [
        "posix", "privileged", "restricted", "rcs", "norcs", "zle", "nozle",
    ]

    /// `directory` will contain the files of the hook.
    ///
    /// Returns nil if the program is not an interactive shell for which there is a hook.
    init?(_ command: [ByteString], _ environment: [ByteString], directory: String) {
        guard let program = command.first?.text, let kind = Self.kind(of: program, command, environment) else {
            return nil
        }
        let isApplet = program.hasSuffix("busybox")
        let options = command.dropFirst(isApplet ? 2 : 1)
        guard Self.arePlain(options, kind) else { return nil }
        (self.kind, self.command, self.environment) = (kind, command, environment)
        switch kind {
        case .bash:
            // In POSIX mode, bash has other start files.
            guard Self.value(of: "POSIXLY_CORRECT", in: environment) == nil else { return nil }
            let isLogin = program.hasPrefix("-") || options.contains { $0 != "-i" && Self.plainOptions.contains($0) }
            prepareBash(hook: "\(directory)/vt.bash", isLogin: isLogin)
        case .zsh:
            values["ZDOTDIR"] = kind.quoted(take("ZDOTDIR") ?? "")
            set("ZDOTDIR", directory)
        case .fish:
            // config.fish may define a function with the name of the builtin.
            let source = ByteString("builtin source \(kind.quoted("\(directory)/vt.fish"))")
            self.command.insert(contentsOf: ["--init-command", source], at: 1)
        case .sh:
            // The shell expands the value of ENV.
            guard !directory.contains(where: { "$`\\\"".contains($0) }) else { return nil }
            values["USER_ENV"] = kind.quoted(take("ENV") ?? "")
            set("ENV", "\(directory)/vt.sh")
        }
    }

    /// A login shell ignores `--rcfile`, but in POSIX mode it reads the file named in `ENV` instead of its login files;
    /// the hook then leaves POSIX mode and reads those.
    private mutating func prepareBash(hook: String, isLogin: Bool) {
        guard isLogin else {
            command.insert(contentsOf: ["--rcfile", ByteString(hook)], at: 1)
            return
        }
        command.insert("--posix", at: 1)
        if let old = take("ENV") { set("__vt_env", old) }
        // bash expands the value.
        set("ENV", String(hook.flatMap { "$`\\\"".contains($0) ? ["\\", $0] : [$0] }))
    }

    private static func arePlain(_ options: ArraySlice<ByteString>, _ kind: ShellKind) -> Bool {
        var rest = options
        while let option = rest.popFirst() {
            if plainOptions.contains(option) { continue }
            guard kind == .bash || kind == .zsh, settingOptions.contains(option), let setting = rest.popFirst(),
                !unusualSettings.contains(setting)
            else { return false }
        }
        return true
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
        let word = environment.last { $0.bytes.starts(with: start) }
        return word.map { String(decoding: $0.bytes.dropFirst(start.count), as: UTF8.self) }
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
