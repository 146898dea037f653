import Arguments
import Core

/// All commands, in manual order.
package enum CommandTable {
    package static let all: [NamedCommand] = [
        NamedCommand("exec", ExecCommand.self),
        NamedCommand("copy", CopyCommand.self),
        NamedCommand("ls", FileListCommand.self),
        NamedCommand("cat", FileReadCommand.self),
        NamedCommand("ssh", SSHCommand.self),
        NamedCommand("forward", ForwardCommand.self),
        NamedCommand("sessions create", SessionCreateCommand.self),
        NamedCommand("sessions run", SessionRunCommand.self),
        NamedCommand("sessions list", SessionListCommand.self),
        NamedCommand("sessions show", SessionShowCommand.self),
        NamedCommand("sessions logs", SessionLogsCommand.self),
        NamedCommand("sessions send", SessionSendCommand.self),
        NamedCommand("sessions exec", SessionExecCommand.self),
        NamedCommand("sessions wait", SessionWaitCommand.self),
        NamedCommand("sessions screen", SessionScreenCommand.self),
        NamedCommand("sessions history", SessionHistoryCommand.self),
        NamedCommand("sessions resize", SessionResizeCommand.self),
        NamedCommand("sessions freeze", SessionFreezeCommand.self),
        NamedCommand("sessions pause", SessionPauseCommand.self),
        NamedCommand("sessions resume", SessionResumeCommand.self),
        NamedCommand("sessions reap", SessionReapCommand.self),
        NamedCommand("sessions ask", SessionAskCommand.self),
        NamedCommand("sessions mark", SessionMarkCommand.self),
        NamedCommand("sessions rename", SessionRenameCommand.self),
        NamedCommand("sessions kill", SessionKillCommand.self),
        NamedCommand("sessions cleanup", SessionCleanupCommand.self),
        NamedCommand("attach", AttachCommand.self),
        NamedCommand("queue add", QueueAddCommand.self),
        NamedCommand("queue list", QueueListCommand.self),
        NamedCommand("queue flush", QueueFlushCommand.self),
        NamedCommand("queue drop", QueueDropCommand.self),
        NamedCommand("serve", ServeCommand.self),
        NamedCommand("share", ShareCommand.self),
        NamedCommand("filter", FilterCommand.self),
        NamedCommand("transcribe", TranscribeCommand.self),
        NamedCommand("record", RecordCommand.self),
        NamedCommand("play", PlayCommand.self),
        NamedCommand("cast info", CastInfoCommand.self),
        NamedCommand("cast convert", CastConvertCommand.self),
        NamedCommand("cast cut", CastCutCommand.self),
        NamedCommand("cast join", CastJoinCommand.self),
        NamedCommand("cast speed", CastSpeedCommand.self),
        NamedCommand("cast quantize", CastQuantizeCommand.self),
        NamedCommand("cast screen", CastScreenCommand.self),
        NamedCommand("cast grep", CastGrepCommand.self),
        NamedCommand("cast redact", CastRedactCommand.self),
        NamedCommand("cast render", CastRenderCommand.self),
        NamedCommand("snapshot create", SnapshotCreateCommand.self),
        NamedCommand("snapshot list", SnapshotListCommand.self),
        NamedCommand("snapshot show", SnapshotShowCommand.self),
        NamedCommand("snapshot remove", SnapshotRemoveCommand.self),
        NamedCommand("rollback", RollbackCommand.self),
        NamedCommand("diff", DiffCommand.self),
        NamedCommand("profile add", ProfileAddCommand.self),
        NamedCommand("profile list", ProfileListCommand.self),
        NamedCommand("profile show", ProfileShowCommand.self),
        NamedCommand("profile edit", ProfileEditCommand.self),
        NamedCommand("profile remove", ProfileRemoveCommand.self),
        NamedCommand("profile rename", ProfileRenameCommand.self),
        NamedCommand("profile import", ProfileImportCommand.self),
        NamedCommand("profile test", ProfileTestCommand.self),
        NamedCommand("profile connections", ProfileConnectionsCommand.self),
        NamedCommand("key generate", KeyGenerateCommand.self),
        NamedCommand("key import", KeyImportCommand.self),
        NamedCommand("key list", KeyListCommand.self),
        NamedCommand("key show", KeyShowCommand.self),
        NamedCommand("key deploy", KeyDeployCommand.self),
        NamedCommand("key remove", KeyRemoveCommand.self),
        NamedCommand("host list", HostListCommand.self),
        NamedCommand("host trust", HostTrustCommand.self),
        NamedCommand("host forget", HostForgetCommand.self),
        NamedCommand("host scan", HostScanCommand.self),
        NamedCommand("install", InstallCommand.self),
        NamedCommand("doctor", DoctorCommand.self),
        NamedCommand("shell-init", ShellInitCommand.self),
        NamedCommand("completion", CompletionCommand.self),
        NamedCommand("mcp", MCPCommand.self),
        NamedCommand("help", HelpCommand.self),
        NamedCommand("version", VersionCommand.self),
        NamedCommand("complete", CompleteCommand.self),
        NamedCommand("relay", RelayCommand.self),
        NamedCommand("ssh-background", SSHBackgroundCommand.self),
        NamedCommand("generate", GenerateCommand.self),
    ]

    /// The groups of commands; groups without visible commands are not shown.
    package static let groups = [
        GroupSpec("sessions", "keep programs running after you disconnect"),
        GroupSpec("queue", "deliver input to sessions later"),
        GroupSpec("cast", "inspect and edit recordings"),
        GroupSpec("snapshot", "save the files of a session's work tree"),
        GroupSpec("profile", "save servers as profiles"),
        GroupSpec("key", "generate and deploy the keys that you log in with"),
        GroupSpec("host", "manage the host keys of servers"),
    ]

    /// The headings of the list of commands.
    private static let sections = [
        SectionSpec("Commands on servers", ["exec", "copy", "ls", "cat", "ssh", "forward"]),
        SectionSpec("Sessions", ["sessions", "attach", "queue", "serve", "share", "filter", "transcribe"]),
        SectionSpec("Recordings", ["record", "play", "cast"]),
        SectionSpec("Work trees", ["snapshot", "rollback", "diff"]),
        SectionSpec("Servers", ["profile", "key", "host", "install", "doctor"]),
        SectionSpec("Setup", ["shell-init", "completion", "mcp"]),
        SectionSpec("Help", ["help", "version"]),
    ]

    /// The pages of the documentation about commands; those about vt as a whole have no name.
    private static let guides = [
        "": ["glossary.md", "json.md", "protocol.md", "architecture.md"],
        "exec": ["guide/commands.md", "fleets.md"],
        "copy": ["guide/commands.md"],
        "ls": ["guide/commands.md"],
        "cat": ["guide/commands.md"],
        "ssh": ["ssh-clients.md"],
        "forward": ["guide/commands.md", "ssh-clients.md"],
        "sessions": ["guide/sessions.md"],
        "sessions ask": ["guide/sessions.md"],
        "sessions screen": ["guide/screens.md", "terminal.md", "testing.md"],
        "sessions wait": ["guide/sessions.md", "guide/screens.md"],
        "sessions send": ["guide/sessions.md", "guide/screens.md", "terminal.md"],
        "sessions exec": ["guide/sessions.md", "guide/agents.md"],
        "sessions freeze": ["suspending.md"],
        "sessions pause": ["suspending.md"],
        "sessions resume": ["suspending.md"],
        "sessions reap": ["suspending.md"],
        "attach": ["guide/sessions.md", "terminal.md"],
        "queue": ["guide/sessions.md"],
        "serve": ["guide/browser.md", "sharing.md", "vibetunnel.md"],
        "share": ["guide/browser.md", "sharing.md"],
        "transcribe": ["voice.md"],
        "record": ["guide/recordings.md"],
        "play": ["guide/recordings.md"],
        "cast": ["guide/recordings.md"],
        "snapshot": ["snapshots.md"],
        "rollback": ["snapshots.md"],
        "diff": ["snapshots.md"],
        "profile": ["guide/servers.md", "transports.md"],
        "key": ["guide/servers.md"],
        "host": ["guide/servers.md"],
        "install": ["guide/servers.md"],
        "doctor": ["guide/servers.md"],
        "mcp": ["guide/agents.md"],
    ]

    /// The table as data, for the parser, help, manual pages, completions and docs/json.md.
    package static let tree = CommandTree(
        version: Release.version,
        date: Release.date,
        entries: entries(of: all),
        overview: { overview }
    )

    package static func entries(of commands: [NamedCommand]) -> [CommandTree.Entry] {
        commands.map { command in (command.name, { command.type.spec }) }
    }

    private static var overview: CommandOverview {
        CommandOverview(
            summary: "terminal sessions that scripts can trust",
            description: [
                "vt runs commands on one server or on hundreds of them, and keeps programs running in sessions, on this "
                    + "machine or on a server. Every byte of a session's output is logged, and the exit status of its "
                    + "program is recorded. Only 'vt ssh' prompts. Data goes to standard output, everything else to "
                    + "standard error, and the exit status indicates what went wrong.",
                "A server needs only sshd; sessions on it also require vt: see 'vt install'.",
                "A program named vt-NAME in a directory of PATH runs as 'vt NAME'.",
            ],
            examples: [
                ExampleSpec("vt exec ann@web.example uptime", "run a command on a server"),
                ExampleSpec("vt profile add web ann@web.example", "save the server under a name"),
                ExampleSpec("vt sessions create web:build -- make", "start a build that keeps running on the server"),
                ExampleSpec("vt attach web:build", "watch the build from any terminal"),
            ],
            files: FileSpec.all,
            sections: sections,
            groups: groups,
            topics: HelpTopics.all,
            guides: guides,
            replacements: replacements,
            documents: { documents }
        )
    }

    /// The documents of all visible commands, and the one that reports a failure.
    private static var documents: [CommandOverview.Documents] {
        let failure = (
            command: "vt",
            documents: [DocumentSpec.document(ErrorReport.self, when: "whenever a command fails, on standard error")]
        )
        let visible = all.map(\.type).filter { !$0.spec.isHidden }
        return visible.map { (command: "vt \($0.spec.name)", documents: $0.documents) } + [failure]
    }

    /// Hints for names that users of tmux, docker, git and ssh might type.
    private static let replacements = [
        "ps": "did you mean 'vt sessions list'?",
        "list": "did you mean 'vt sessions list', or 'vt profile list' for servers?",
        "create": "did you mean 'vt sessions create'?",
        "show": "did you mean 'vt sessions show', or 'vt profile show' for a server?",
        "rename": "did you mean 'vt sessions rename', or 'vt profile rename' for a server?",
        "logs": "did you mean 'vt sessions logs'?",
        "log": "did you mean 'vt sessions logs'?",
        "tail": "did you mean 'vt sessions logs --follow'?",
        "new": "did you mean 'vt sessions create'?",
        "start": "did you mean 'vt sessions create'?",
        "stop": "did you mean 'vt sessions kill'?",
        "rm": "did you mean 'vt sessions kill --rm'?",
        "screen": "did you mean 'vt sessions screen', or 'vt cast screen' for a recording?",
        "run": "use vt exec TARGET COMMAND or, to keep the program running, vt sessions create NAME -- COMMAND",
        "shell": "did you mean 'vt ssh'?",
        "login": "did you mean 'vt ssh'?",
        "connect": "did you mean 'vt ssh', or 'vt attach' for a session?",
        "cp": "did you mean 'vt copy'?",
        "scp": "did you mean 'vt copy'?",
        "detach": "to detach, press Ctrl-] in the session, or the key given with --detach-key",
        "sessions ls": "did you mean 'vt sessions list'?",
        "sessions ps": "did you mean 'vt sessions list'?",
        "sessions rm": "did you mean 'vt sessions kill --rm'?",
        "sessions remove": "did you mean 'vt sessions kill --rm'?",
        "sessions delete": "did you mean 'vt sessions kill --rm'?",
        "sessions prune": "did you mean 'vt sessions cleanup'?",
        "sessions new": "did you mean 'vt sessions create'?",
        "sessions start": "did you mean 'vt sessions create'?",
        "sessions stop": "did you mean 'vt sessions kill'?",
        "sessions tail": "did you mean 'vt sessions logs --follow'?",
        "sessions attach": "did you mean 'vt attach'?",
        "sessions record": "did you mean 'vt record'?",
        "profile ls": "did you mean 'vt profile list'?",
        "profile rm": "did you mean 'vt profile remove'?",
        "profile delete": "did you mean 'vt profile remove'?",
        "profile new": "did you mean 'vt profile add'?",
        "profile create": "did you mean 'vt profile add'?",
        "host ls": "did you mean 'vt host list'?",
        "host rm": "did you mean 'vt host forget'?",
        "host remove": "did you mean 'vt host forget'?",
        "host add": "did you mean 'vt host trust'?",
        "key ls": "did you mean 'vt key list'?",
        "key rm": "did you mean 'vt key remove'?",
        "key delete": "did you mean 'vt key remove'?",
        "key new": "did you mean 'vt key generate'?",
        "key add": "did you mean 'vt key generate' or 'vt key import'?",
        "key copy": "did you mean 'vt key deploy'?",
        "keys": "did you mean 'vt key list'?",
        "cast play": "did you mean 'vt play'?",
        "cast record": "did you mean 'vt record'?",
        "cast rec": "did you mean 'vt record'?",
        "restore": "did you mean 'vt rollback'?",
        "undo": "did you mean 'vt rollback'?",
        "snapshot ls": "did you mean 'vt snapshot list'?",
        "snapshot rm": "did you mean 'vt snapshot remove'?",
        "snapshot delete": "did you mean 'vt snapshot remove'?",
        "snapshot restore": "did you mean 'vt rollback'?",
        "rec": "did you mean 'vt record'?",
    ]
}
