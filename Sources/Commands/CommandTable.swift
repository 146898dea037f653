import CommandLine

/// All commands, in manual order.
package enum CommandTable {
    package static let all: [any Command.Type] = [
        ProfileAddCommand.self,
        ProfileListCommand.self,
        ProfileShowCommand.self,
        ProfileEditCommand.self,
        ProfileRemoveCommand.self,
        ProfileRenameCommand.self,
        ProfileImportCommand.self,
        ProfileTestCommand.self,
        HostListCommand.self,
        HostTrustCommand.self,
        HostForgetCommand.self,
        HostScanCommand.self,
        ExecCommand.self,
        SessionCreateCommand.self,
        SessionListCommand.self,
        SessionShowCommand.self,
        SessionLogsCommand.self,
        SessionSendCommand.self,
        SessionWaitCommand.self,
        SessionScreenCommand.self,
        SessionResizeCommand.self,
        SessionRenameCommand.self,
        SessionKillCommand.self,
        SessionCleanupCommand.self,
        AttachCommand.self,
        RecordCommand.self,
        PlayCommand.self,
        CastInfoCommand.self,
        CastConvertCommand.self,
        CastCutCommand.self,
        CastJoinCommand.self,
        CastSpeedCommand.self,
        CastQuantizeCommand.self,
        CastScreenCommand.self,
        CastGrepCommand.self,
        CastRedactCommand.self,
        CastRenderCommand.self,
        InstallCommand.self,
        DoctorCommand.self,
        HelpCommand.self,
        VersionCommand.self,
        CompleteCommand.self,
        RelayCommand.self,
        GenerateCommand.self,
    ]

    /// The first words that need a verb; those without a command yet are not shown.
    package static let groups = [
        GroupSpec("profile", "save servers as profiles"),
        GroupSpec("host", "know the host keys of servers"),
        GroupSpec("sessions", "keep programs running without us"),
        GroupSpec("cast", "look into recordings and change them"),
    ]

    /// The table as data, for the parser and everything that is rendered from it.
    package static let tree = CommandTree(
        version: Release.version,
        date: Release.date,
        summary: "make terminal sessions scriptable",
        description: [
            "vt makes terminal sessions scriptable. It saves servers as profiles, runs commands on one or many of them, and "
                + "keeps programs running in sessions, here and there, whose output is logged to the byte and whose exit "
                + "status is never lost. Nothing is ever asked: standard output is data, standard error everything else, and the exit status "
                + "tells what went wrong.",
            "The far end needs nothing but an SSH server, and for sessions vt itself: see 'vt install'.",
        ],
        groups: groups,
        commands: all.map { $0.spec }
    )
}
