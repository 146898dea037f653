import Foundation
import TestSupport

/// A vt that shares connections, and an OpenSSH server behind a relay as its profile `s`, whose host key is known.
///
/// The relay has counted one connection.
struct SharedLab: Sendable {
    /// A shared connection, as reported by `vt profile connections`.
    struct MuxServer {
        let pid: Int32
        let uses: Int
        let shareMilliseconds: Int
        let idleMilliseconds: Int
    }

    let server: OpenSSHServer
    let relay: Relay
    let vt: Vt
    /// The path of the profile's private key.
    let identity: String

    /// The environment that enables sharing.
    static let sharing = ["VT_SHARE": "60s"]

    init(_ options: OpenSSHServer.Options = .init()) async throws {
        let lab = try await Lab(options, sharesConnections: false)
        server = lab.server
        vt = lab.vt
        relay = try Relay(to: server.port)
        // A separate key, because one of the tests changes it.
        let key = try String(contentsOfFile: server.userKeys.path(.ed25519), encoding: .utf8)
        identity = try vt.writeElsewhere(key, to: "key")
        try await lab.addProfile("s", port: relay.port, key: nil, ["--no-agent", "--identity", identity])
        try await lab.meet("s")
    }

    /// Runs `vt exec s COMMAND`.
    func exec(_ command: String, input: [UInt8] = [], deadline: Duration = .patience) async throws -> ProgramResult {
        try await vt.call(["exec", "s", command], environment: Self.sharing).run(input: input, deadline: deadline)
    }

    func start(_ words: String...) throws -> RunningProgram {
        try vt.call(words, environment: Self.sharing).start()
    }

    /// The shared connections that accept commands.
    func muxServers() async throws -> [MuxServer] {
        let text = try await vt.check("profile", "connections", "--json")
        let documents = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]] ?? []
        return documents.compactMap { document in
            guard document["is_closing"] as? Bool == false, let pid = document["pid"] as? Int,
                let uses = document["uses"] as? Int, let share = document["share_ms"] as? Int
            else { return nil }
            let idle = document["idle_ms"] as? Int ?? 0
            return MuxServer(pid: Int32(pid), uses: uses, shareMilliseconds: share, idleMilliseconds: idle)
        }
    }
}
