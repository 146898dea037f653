import Arguments
import Core
import System

/// The variables of vt's own environment to pass to a session or command, selected with `--pass-env`.
struct PassedVariables: Sendable {
    static let option = option(to: "session")

    /// The option that passes variables to a session or command, which `program` names; `details` precede the others.
    static func option(to program: String, details: String = "") -> Option<[String]> {
        Option(
            "pass-env",
            ValueKind("NAME", completion: .environmentName, parse: name),
            summary: "pass this environment variable to the \(program)",
            details: details
                + "NAME can be a pattern with * and ?, which does not match variables that a \(program) gets anyway, "
                + "except the locale and TZ, nor OLDPWD, SHLVL, _ and VT_*."
        ).repeatable()
    }

    /// Names, and patterns with `*` and `?`.
    private let patterns: [String]

    /// Variables that describe the session or vt's own process, which patterns do not match.
    private static let excluded: Set = [
        "HOME", "LOGNAME", "OLDPWD", "PATH", "PWD", "SHELL", "SHLVL", "SSH_AUTH_SOCK", "TERM", "USER",
        "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "_",
    ]

    init(_ call: Call) {
        patterns = call[Self.option]
    }

    private static func name(_ text: String) throws(VTError) -> String {
        guard EnvironmentVariable.isName(String(text.map { $0 == "*" || $0 == "?" ? "_" : $0 })) else {
            throw VTError(.usage, "invalid variable name '\(text)'")
        }
        return text
    }

    /// Returns the selected variables, each once, and notes names and patterns that select none.
    func variables(in context: Context) -> [EnvironmentVariable] {
        var variables: [EnvironmentVariable] = []
        for pattern in patterns {
            let selected =
                Wildcard.isPattern(pattern.utf8)
                ? Self.variables(matching: pattern, in: context.console.environment)
                // An empty value counts as unset; few programs distinguish the two.
                : context.console.environment[pattern].flatMap { try? EnvironmentVariable("\(pattern)=\($0)") }
                    .map { [$0] } ?? []
            if selected.isEmpty {
                let reason =
                    context.console.environment.isUnreadable(pattern)
                    ? "the value of variable '\(pattern)' is not valid UTF-8" : "variable '\(pattern)' is not set"
                context.diagnostics.note("\(reason), so it is not passed")
            }
            variables += selected.filter { !variables.contains($0) }
        }
        return variables
    }

    /// Variables whose names or values cannot be passed, such as exported functions, do not match.
    private static func variables(matching pattern: String, in environment: Environment) -> [EnvironmentVariable] {
        environment.words.compactMap { word in
            guard let text = word.text, let variable = try? EnvironmentVariable(text), !variable.value.isEmpty,
                !excluded.contains(variable.name), !variable.name.hasPrefix("VT_")
            else { return nil }
            return Wildcard.matches(pattern, variable.name) ? variable : nil
        }
        .sorted { $0.name < $1.name }
    }
}
