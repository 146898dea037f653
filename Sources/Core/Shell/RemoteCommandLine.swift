/// The command line with which a server's login shell runs a request, without its environment variables.
///
/// It must have the same meaning in sh, bash, dash, zsh, fish and csh.
package struct RemoteCommandLine {
    package let line: ByteString

    package init(_ request: ExecRequest) {
        switch request.command {
        case .shellLine(let text) where request.directory == nil && request.shell == nil: line = text
        case .shellLine, .arguments: line = Self.start(of: request)
        }
    }

    /// Returns the words that change the directory and execute the program; they are also part of the prelude for sh.
    static func start(of request: ExecRequest) -> ByteString {
        let change = request.directory.map { "cd " + path($0) + " && " } ?? ""
        switch request.command {
        case .arguments(let words):
            // With exec, death by signal is reported as such, and no alias or keyword interferes.
            return change + "exec " + words.map(\.shellQuoted).joined(separator: " ")
        case .shellLine(let text):
            let shell = request.shell.map { ByteString($0).shellQuoted } ?? "\"$SHELL\""
            return change + "exec " + shell + " -c " + text.shellQuoted
        }
    }

    /// Returns a word that `cd` cannot misinterpret.
    private static func path(_ directory: String) -> ByteString {
        if directory == "~" { return "\"$HOME\"" }
        if directory.hasPrefix("~/") { return "\"$HOME\"/" + ByteString(directory.dropFirst(2)).shellQuoted }
        let isPlain = directory.hasPrefix("/") || directory.hasPrefix("~")
        return ByteString(isPlain ? directory : "./" + directory).shellQuoted
    }
}
