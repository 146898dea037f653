import Foundation
import TestSupport

/// A vt with its own home, and an OpenSSH server as its profile `p`.
struct Lab: Sendable {
    let server: OpenSSHServer
    let vt: Vt

    init(_ options: OpenSSHServer.Options = .init(), sharesConnections: Bool? = nil) async throws {
        server = try await OpenSSHServer(options)
        vt = try Vt(sharesConnections: sharesConnections)
        try await addProfile("p")
    }

    /// A lab whose host key is known.
    static func met(_ options: OpenSSHServer.Options = .init(), sharesConnections: Bool? = nil) async throws -> Lab {
        let lab = try await Lab(options, sharesConnections: sharesConnections)
        try await lab.meet()
        return lab
    }

    /// A lab whose host key is known, with vt on the server.
    static func withVt(_ options: OpenSSHServer.Options = .init(), sharesConnections: Bool? = nil) async throws -> Lab {
        let lab = try await met(options, sharesConnections: sharesConnections)
        try lab.linkVt()
        return lab
    }

    /// Adds a profile for the server; by default with its main port, the ed25519 key and no agent.
    func addProfile(
        _ name: String,
        port: UInt16? = nil,
        key: KeyRing.Kind? = .ed25519,
        _ options: [String] = ["--no-agent"]
    ) async throws {
        let identity = key.map { ["--identity", server.userKeys.path($0)] } ?? []
        let address = "\(server.user)@127.0.0.1:\(port ?? server.port)"
        try await vt.call(["profile", "add", name, address] + identity + options).check()
    }

    /// A section of ssh_config(5) for the server as `Host box`, with further lines, such as "SendEnv A".
    func box(_ lines: String...) -> String {
        let settings = [
            "HostName 127.0.0.1", "Port \(server.port)", "User \(server.user)",
            "IdentityFile \(server.userKeys.path(.ed25519))",
        ]
        return (["Host box"] + (settings + lines).map { "  " + $0 }).joined(separator: "\n") + "\n"
    }

    /// Writes `~/.ssh/config`.
    func configure(_ text: String) throws {
        let directory = "\(vt.home)/.ssh"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try text.write(toFile: "\(directory)/config", atomically: true, encoding: .utf8)
    }

    /// Connects once, so that the server's host key is known.
    func meet(_ name: String = "p") async throws {
        try await vt.check("exec", name, "true")
    }

    /// Creates a link to vt on the server, at the path where `vt install` would put the program.
    func linkVt() throws {
        let directory = "\(server.home)/.local/bin"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: "\(directory)/vt", withDestinationPath: TestTree.vt)
    }

    /// Runs `vt exec p COMMAND`.
    func exec(_ command: String, input: [UInt8] = [], deadline: Duration = .patience) async throws
        -> ProgramResult
    {
        try await vt.run("exec", "p", command, input: input, deadline: deadline)
    }
}

/// Pseudorandom bytes, the same in every run.
func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        withUnsafeBytes(of: state) { bytes.append(contentsOf: $0) }
    }
    return Array(bytes.prefix(count))
}

extension Vt {
    /// Creates a session with a shell command.
    func create(_ name: String, _ script: String, _ options: [String] = []) async throws {
        try await call(["sessions", "create", name] + options + ["--", "sh", "-c", script]).check()
    }
}
