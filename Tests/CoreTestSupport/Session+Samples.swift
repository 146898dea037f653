import Core

extension Session {
    /// A session that runs `cat`, created at Unix time 1000.
    package static func sample(_ name: String, state: SessionState = .running) -> Session {
        Session(
            id: .random(),
            name: name,
            state: state,
            command: ["cat"],
            directory: "/tmp",
            size: .standard,
            terminalType: "xterm-256color",
            createdAt: Timestamp(seconds: 1000),
            host: "here",
            bootID: "boot",
            version: "1.0"
        )
    }
}
