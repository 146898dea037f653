import Core

/// The line that a server's login shell is given to run a request.
///
/// It has to mean the same in sh, bash, dash, zsh and fish. Servers refuse environment requests (sshd_config(5),
/// AcceptEnv), so variables go through env(1).
struct RemoteCommandLine {
    let line: ByteString

    init(_ request: ExecRequest) {
        let change = request.directory.map { ByteString("cd ") + ByteString(Self.path($0)).shellQuoted + " && " } ?? ""
        let variables = request.environment.map { ByteString("\($0.name)=\($0.value)").shellQuoted }
        let prefix: [ByteString] = variables.isEmpty ? ["exec"] : ["exec", "env"] + variables
        switch request.command {
        case .arguments(let words):
            // Through exec the program's end by a signal reaches us as such, and no alias or keyword gets in between.
            line = change + (prefix + words.map(\.shellQuoted)).joined(separator: " ")
        case .shellLine(let text) where request.directory == nil && variables.isEmpty && request.shell == nil:
            line = text
        case .shellLine(let text):
            let shell = request.shell.map { ByteString($0).shellQuoted } ?? "\"$SHELL\""
            line = change + (prefix + [shell, "-c", text.shellQuoted]).joined(separator: " ")
        }
    }

    /// A path that `cd` takes for nothing else, relative to the home directory, where a login shell starts.
    private static func path(_ directory: String) -> String {
        if directory == "~" { return "." }
        if directory.hasPrefix("~/") { return "./" + directory.dropFirst(2) }
        return directory.hasPrefix("/") || directory.hasPrefix("~") ? directory : "./" + directory
    }
}
