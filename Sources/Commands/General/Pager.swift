import Core
import System

/// Shows long help on a terminal with the program in VT_PAGER or PAGER, or with less(1).
struct Pager {
    /// A shell command line that reads the text from standard input.
    private let command: String

    /// Nil if the text is to be printed: without a terminal, with `cat`, and if there is no such program.
    init?(on console: Console) {
        guard console.output.isTerminal, console.environment["TERM"] != "dumb" else { return nil }
        let chosen = console.environment["VT_PAGER"] ?? console.environment["PAGER"]
        guard let command = chosen ?? ProgramPath.find("less", in: console.environment), command != "cat" else {
            return nil
        }
        let name = command.prefix { $0 != " " }
        guard name.contains("/") || ProgramPath.find(String(name), in: console.environment) != nil else { return nil }
        self.command = command
    }

    /// Replaces this process with the pager, as git starts it; returns the reason if that fails.
    func show(_ text: String) -> VTError {
        // The shell must wait for a pager that handles Control-C.
        let line = #"trap : INT QUIT; export LESS="${LESS-FRX}"; printf %s "$1" | { trap : INT QUIT; eval "$2"; }"#
        return ProgramPath.execute("/bin/sh", ["/bin/sh", "-c", line, "sh", text, command].map { ByteString($0) })
    }
}
