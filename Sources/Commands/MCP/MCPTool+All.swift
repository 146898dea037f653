import Core
import Services

extension MCPTool {
    /// All tools, in the order in which they are listed.
    static let all: [MCPTool] = [
        MCPTool(
            name: "run",
            command: "sessions exec",
            summary: "Run a line in the live shell of a session, or in a program. Directory, variables and "
                + "environments persist. Returns output and exit status. If it asks for input, or on a timeout, it keeps "
                + "running: continue with send, or with wait and read.",
            effect: [.destructive, .openWorld],
            parameters: [
                .target,
                MCPParameter(name: "line", kind: .string, use: .operand, isRequired: true, summary: "any text"),
                .option("timeout_s", "timeout", .seconds, default: "60s"),
                .option("wait_s", "wait", .seconds, default: "5s", summary: "wait for the prompt"),
                .option("repl", "repl", .choice(Repl.Name.allCases.map(\.rawValue)), summary: "the program"),
                .option("prompt", "prompt", .string, summary: "its prompt, if it is another: a regex"),
                .option(
                    "assume_shell",
                    "assume-shell",
                    .choice(AssumedShell.allCases.map(\.rawValue)),
                    summary: "of a shell in ssh, su or docker"
                ),
                .option(
                    "max_bytes",
                    "max-output",
                    .integer,
                    default: "8192",
                    summary: "of output: head and tail"
                ),
                .own("stdin", .string, "input of the command"),
                .option(
                    "request_id",
                    "request-id",
                    .string,
                    summary: "to repeat a lost call: the line runs once"
                ),
                .own("create", .boolean, "a missing session (default true)"),
            ],
            fields: [
                "output", "output_base64", "outcome", "exit", "line", "from", "to", "truncated", "gap", "duration_ms",
                "cwd", "turn", "notes",
            ],
            perform: MCPToolCall.runLine
        ),
        MCPTool(
            name: "read",
            command: "sessions logs",
            summary: "Read output of a session from an offset. Continue with next_offset.",
            effect: .readOnly,
            parameters: [
                .target,
                .own("from", .integer, "offset (default: the last max_bytes)"),
                .own("max_bytes", .integer, "default 8192"),
                .own("raw", .boolean, "keep escape sequences"),
            ],
            perform: MCPToolCall.read
        ),
        MCPTool(
            name: "screen",
            command: "sessions screen",
            summary: "Show the screen of a session, as a terminal would.",
            effect: .readOnly,
            parameters: [.target, .own("format", .choice(["text", "png"]), "default text")],
            perform: MCPToolCall.screen
        ),
        MCPTool(
            name: "send",
            command: "sessions send",
            summary: "Type text and keys into a session, in this order: click, text, keys, enter. "
                + "For shells, prefer run.",
            effect: [.destructive, .openWorld],
            parameters: [
                .target,
                .own("text", .string, "text to type"),
                .option("keys", "key", .strings, summary: "such as C-c, Up, F5, Escape"),
                .option("repeat", "repeat", .integer),
                .option("click", "click", .string, summary: "a text on the screen, or COL,ROW from 0"),
                .option("enter", "enter", .boolean),
                .option("paste", "paste", .boolean, summary: "as a bracketed paste"),
                .option(
                    "wait",
                    "wait",
                    .strings,
                    summary:
                        "then wait for the first of: prompt, exit, idle=2s, match=REGEX, fail-match=REGEX, screen=TEXT, "
                        + "no-screen=TEXT, title=TEXT; returns the new output"
                ),
                .option("settle_s", "settle", .seconds, summary: "and no change of the screen for this time"),
                .option("timeout_s", "timeout", .seconds, default: "60s"),
                .own("max_bytes", .integer, "default 8192"),
                .own(
                    "steps",
                    .objects,
                    "instead: several sends with these parameters, until one fails"
                ),
            ],
            fields: waitFields,
            perform: MCPToolCall.send
        ),
        MCPTool(
            name: "wait",
            command: "sessions wait",
            summary: "Wait until the first of the given conditions is met in a session.",
            effect: .readOnly,
            parameters: [
                .target,
                .option("match", "match", .string, summary: "a line that matches this regex"),
                .option("fail_match", "fail-match", .string, summary: "a line that means failure"),
                .option("idle_s", "idle", .seconds, summary: "no output for this time"),
                .option("prompt", "prompt", .boolean, summary: "the shell shows its prompt"),
                .option("exit", "exit", .boolean, summary: "the program exits"),
                .option("screen", "screen", .string, summary: "a text is on the screen"),
                .option("no_screen", "no-screen", .string, summary: "a text is not on the screen"),
                .option("title", "title", .string, summary: "the window title contains a text"),
                .option("regex", "regex", .boolean, summary: "these texts are regexes"),
                .option("settle_s", "settle", .seconds, summary: "and no change of the screen for this time"),
                .option("from", "from", .integer, summary: "offset (default: after the last input)"),
                .option("timeout_s", "timeout", .seconds, default: "60s"),
            ],
            fields: waitFields
        ),
        MCPTool(
            name: "sessions",
            command: "sessions list",
            summary: "List sessions and the states of their shells.",
            effect: .readOnly,
            parameters: [
                MCPParameter(name: "profile", kind: .string, use: .profile, summary: "default: this machine"),
                .option("state"),
            ],
            list: "sessions",
            fields: [
                "profile", "name", "state", "exit", "command", "cwd", "shell.state", "shell.command", "output_bytes",
                "question", "error",
            ]
        ),
        create,
        MCPTool(
            name: "ask",
            command: "sessions ask",
            summary: "Ask the person at a session for something, such as a login, and wait.",
            effect: .openWorld,
            parameters: [
                .target,
                MCPParameter(name: "message", kind: .string, use: .operand, isRequired: true),
                .option("timeout_s", "timeout", .seconds, default: "600s"),
            ]
        ),
        MCPTool(
            name: "kill",
            command: "sessions kill",
            summary: "End a session and its processes, or send them a signal. Its output stays.",
            effect: [.destructive, .idempotent],
            parameters: [.target, .option("signal"), .option("remove", "remove", .boolean, summary: "and its output")],
            list: "killed",
            fields: ["profile", "session", "name", "survivors", "exit", "error"],
            perform: MCPToolCall.kill
        ),
        MCPTool(
            name: "copy",
            command: "copy",
            summary: "Copy files to or from a server.",
            effect: [.destructive, .idempotent, .openWorld],
            parameters: [
                MCPParameter(name: "from", kind: .string, use: .file, isRequired: true, summary: "[PROFILE:]PATH"),
                MCPParameter(name: "to", kind: .string, use: .file, isRequired: true, summary: "[PROFILE:]PATH"),
                .option("recursive", "recursive", .boolean),
            ],
            list: "events"
        ),
        MCPTool(
            name: "profiles",
            command: "profile list",
            summary: "List the saved servers.",
            effect: .readOnly,
            parameters: [],
            list: "profiles",
            fields: ["name", "host", "user", "tags", "note"],
            isListed: { $1.allows(machine: $0.string("name")) }
        ),
    ]

    static let create = MCPTool(
        name: "create",
        command: "sessions create",
        summary: "Start a program, or the login shell, in a new session that keeps running.",
        effect: [.destructive, .openWorld],
        parameters: [
            .target,
            MCPParameter(name: "command", kind: .strings, use: .operand, summary: "program and arguments"),
            .option("cwd"),
            .option("env", "env", .strings, summary: "NAME=VALUE"),
            .option("size", "size", .string, summary: "COLSxROWS"),
            .option(
                "if_exists",
                "if-exists",
                .choice(["fail", "ok", "replace"]),
                summary: "ok: use a running session, replace one that has ended"
            ),
        ],
        fields: ["profile", "name", "id", "state", "is_new", "command", "cwd", "size", "notes"]
    )

    /// The session is that of the call.
    private static let waitFields = [
        "output", "outcome", "message", "hint", "condition", "state", "exit", "offset", "expression", "match", "line",
        "row", "column", "width", "text", "command_exit", "elapsed_ms", "gap", "notes",
    ]
}
