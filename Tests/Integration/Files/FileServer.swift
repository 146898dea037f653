import TestSupport

/// A server with SFTP, and a vt that has it as its profile `p`.
struct FileServer: Sendable {
    enum Kind: String, CaseIterable {
        case openSSH, proFTPD, dropbear, asyncSSH, paramiko, erlang, go
    }

    let vt: Vt
    /// A directory of the server.
    let home: String
    /// Keeps the server running.
    private let server: any Sendable

    init(_ kind: Kind) async throws {
        let (port, user, keys): (UInt16, String, KeyRing)
        switch kind {
        case .openSSH:
            let server = try await OpenSSHServer()
            (port, user, keys, home) = (server.port, server.user, server.userKeys, server.home)
            self.server = server
        case .go:
            let program = try await GoFileServer.path()
            let server = try await OpenSSHServer(.init(lines: ["Subsystem sftp \(program)"], hasFiles: false))
            (port, user, keys, home) = (server.port, server.user, server.userKeys, server.home)
            self.server = server
        case .proFTPD:
            let server = try await ProFTPDServer()
            (port, user, keys, home) = (server.port, server.user, server.userKeys, server.home)
            self.server = server
        case .dropbear:
            let server = try await DropbearServer()
            (port, user, keys, home) = (server.port, server.user, server.userKeys, server.home)
            self.server = server
        case .asyncSSH:
            var options = AsyncSSHServer.Options(steps: [["publickey"]])
            options.files = true
            let server = try await AsyncSSHServer(options)
            let scratch = try ScratchDirectory()
            (port, user, keys, home) = (server.port, server.user, server.userKeys, scratch.path)
            self.server = [server, scratch] as [any Sendable]
        case .paramiko:
            let server = try await ParamikoServer()
            let scratch = try ScratchDirectory()
            (port, user, keys, home) = (server.port, server.user, server.userKeys, scratch.path)
            self.server = [server, scratch] as [any Sendable]
        case .erlang:
            let server = try await ErlangServer()
            (port, user, keys, home) = (server.port, server.user, server.userKeys, server.home)
            self.server = server
        }
        vt = try Vt(sharesConnections: false)
        try await vt.check(
            "profile",
            "add",
            "p",
            "\(user)@127.0.0.1:\(port)",
            "--no-agent",
            "--identity",
            keys.path(.ed25519)
        )
        try await vt.check("ls", "p:\(home)")
    }

    /// Runs a script of bash in the home directory of `vt`, with the directory of the server as `$1`.
    func run(_ script: String, deadline: Duration = .patience) async throws -> ProgramResult {
        try await vt.bash("set -e; cd; \(script)", home, deadline: deadline)
    }
}
