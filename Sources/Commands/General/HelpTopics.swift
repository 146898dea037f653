import Arguments

/// The pages of help that are not about one command: `vt help TOPIC`.
enum HelpTopics {
    static let all = [targets, offsets, lists, exitCodes, agents]

    static let exitCodes = TopicSpec("exit-codes", summary: "exit statuses and error classes", description: [])
    static let agents = TopicSpec("agents", summary: "how to use vt from a program that has a shell", description: [])

    private static let targets = TopicSpec(
        "targets",
        summary: "how to name servers and sessions, and how vt connects",
        description: [
            "TARGET is a server: a profile, [USER@]HOST[:PORT] or ssh://[USER@]HOST[:PORT]; 'local' is this machine. "
                + "SESSION is a session on this machine, or TARGET:SESSION on a server.",
            "# Servers",
            "A word without '@' is the name of a profile or, if there is none, a host, provided that it contains a dot or "
                + "a port or is 'localhost', and that no profile has a similar name. USER@PROFILE is a profile with a "
                + "different user.",
            "# Several servers",
            "Where several targets are accepted, TARGET can also be a pattern with * and ?, which selects the profiles whose "
                + "names match; a range such as 'web[1-40]' or 'web[08-10,15]', which stands for profiles that must all "
                + "exist; or @FILE, which reads targets from FILE, one per line, with comments that start with #. '@-' "
                + "reads standard input. Separate several with commas. Duplicates are ignored. A "
                + "failure on one server does not affect the others: it is reported, and the exit status is 1.",
            "    vt exec 'web[1-3],db-*' uptime",
            "# Sessions",
            "SESSION is the exact name or ID of a session: 'build', 'web:build', 'ann@web.example:build', "
                + "'ann@web.example:2222:build' or 'ssh://web.example:2222/build'. Names are never completed or matched "
                + "by prefix. An ID always refers to one session, while a name can be used again.",
            "# Connections",
            "vt logs in with the settings of the profile, the keys of the SSH agent and those in ~/.ssh; only 'vt ssh' asks "
                + "questions. The host key of a new server is stored on the first connection, unless the policy of the profile is "
                + "'strict'; a host key that has changed is an error (see 'vt host trust').",
            "Only 'vt exec' accepts the letters of the connection options below. They apply to each server of the command line. Except in 'vt exec', it is an error if "
                + "one of them differs from a setting of the server's profile.",
            "# Shared connections",
            "Commands share one connection to a server, which is closed after a minute without use. VT_SHARE=DURATION "
                + "sets this time, and VT_SHARE=off or --no-share makes a new connection.",
        ],
        options: TargetOptions.explained + ConnectionOptions.optionsWithLetters
    )

    private static let lists = TopicSpec(
        "lists",
        summary: "how to select, order and format the rows of lists",
        description: [
            "All commands that list print a table or, with --json, an array. For scripts, they print each row on one line, "
                + "with the fields that the script needs; 'vt help COMMAND' and 'vt COMMAND --json' name them.",
            "    vt sessions list --filter 'state=exited' --fields name,exit.code",
            "    vt profile list --format '{name} is {host}:{port}' --sort name",
            "    vt sessions kill $(vt sessions list --ids --filter 'tags=ci')",
            "# Fields",
            "--fields prints the fields with tabs between them. A field that is absent is empty, and an array or object is "
                + "printed as JSON. Control characters and backslashes in values are escaped, as in \\t, \\n, \\x1b and \\\\, "
                + "so each row is one line.",
            "--format replaces {FIELD} with the value of a field. \\t is a tab, \\n a line feed, \\\\ a backslash, and {{ "
                + "and }} are braces. --ids prints only the names.",
            "# Rows",
            "--filter FIELD=PATTERN lists only rows in which the field matches a pattern with * and ?; an array matches if "
                + "one of its elements does, and an absent field is compared as empty text. If repeated, all of the patterns "
                + "must match.",
            "--sort FIELD compares numbers by value; -FIELD reverses the order. Rows without the field come last.",
        ]
    )

    private static let offsets = TopicSpec(
        "offsets",
        summary: "positions in the output of a session, and how not to miss any of it",
        description: [
            "An offset is a position in the output of a session, in bytes from its start. It always refers to the same "
                + "byte, also after old output has been discarded.",
            "# From one command to the next",
            "'vt sessions send' prints the offset at which the output ended when the input was sent; 'wait' prints the "
                + "offset where its condition was met; --json has offsets in all documents. Pass them to --from:",
            "    at=$(vt sessions send dev 'make test' --enter)",
            "    vt sessions wait dev --match '^(ok|FAIL)' --from $at",
            "    vt sessions logs dev --from $at --plain",
            "Output that arrives between two commands is not lost, and output before the offset is not considered.",
            "# Following a log",
            "'vt sessions logs --follow' continues until the session ends, over broken connections. With --cursor-file, the "
                + "next run continues where the last one stopped, even if it was interrupted. --since 5m and --tail 20 "
                + "start at a time or a line.",
            "# Turns",
            "A turn is a command that the shell of a session has run, numbered from 1. --turn -1 is the last one, and -2 "
                + "the one before it; 'vt sessions history' lists them with their offsets, statuses and times.",
            "# Recordings",
            "A POSITION in a recording is a time since the start (12.5, 1:20, 1m20s), a time before the end (-5), a "
                + "percentage (50%), a marker (marker:NAME), an event (event:100), or the start or the end of a command in the "
                + "shell of a session (turn:5, turn-end:5, turn:-1 for the last one).",
        ]
    )
}
