import Foundation
import TestSupport
import Testing

/// Shared connections to servers of several kinds, some of which do not allow a second channel on a connection.
@Suite(.crowded)
struct SecondChannelTests {
    enum Kind: String, CaseIterable {
        case openSSH, dropbear, asyncSSH = "any", paramiko
        case refuse, refuseEver = "refuse ever", end, endEver = "end ever", ignore, ignoreEver = "ignore ever"
        /// After a second channel, the connection ends with the next program, or after a second.
        case endLate = "end-late"

        /// Whether the server opens a channel after another one of the same connection has been closed.
        var allowsAnother: Bool { !rawValue.hasSuffix(" ever") }
    }

    /// A server, as the profile `p` of a vt that shares connections.
    private struct Peer {
        let vt: Vt
        let directory: ScratchDirectory
        /// Keeps the server running.
        let server: any Sendable

        init(_ kind: Kind) async throws {
            let (server, user, port, key): (any Sendable, String, UInt16, String)
            switch kind {
            case .openSSH:
                let sshd = try await OpenSSHServer()
                (server, user, port, key) = (sshd, sshd.user, sshd.port, sshd.userKeys.path(.ed25519))
            case .dropbear:
                let dropbear = try await DropbearServer()
                (server, user, port, key) = (dropbear, dropbear.user, dropbear.port, dropbear.userKeys.path(.ed25519))
            case .paramiko:
                let paramiko = try await ParamikoServer()
                (server, user, port, key) = (paramiko, paramiko.user, paramiko.port, paramiko.userKeys.path(.ed25519))
            default:
                var options = AsyncSSHServer.Options(steps: [["publickey"]])
                options.channels = kind.rawValue
                let other = try await AsyncSSHServer(options)
                (server, user, port, key) = (other, other.user, other.port, other.userKeys.path(.ed25519))
            }
            self.server = server
            directory = try ScratchDirectory()
            vt = try Vt()
            try await vt.check("profile", "add", "p", "\(user)@127.0.0.1:\(port)", "--no-agent", "--identity", key)
            // Without sharing, so that the shared connection starts with the commands of the test.
            try await vt.check("exec", "--no-share", "p", "true")
        }

        /// Runs a command that prints a number and counts itself.
        func exec(_ number: Int, _ command: String = "true") async throws {
            let line =
                "echo \(number) >>'\(directory.path("count"))'; \(command); echo out \(number); exit \(number % 5)"
            let result = try await vt.run("exec", "p", line, environment: SharedLab.sharing)
            #expect(result.text == "out \(number)\n", "\(number): \(result.errorText)")
            #expect(result.status == .exited(Int32(number % 5)))
        }

        /// The numbers of the commands that were run, in ascending order.
        func counts() throws -> [Int] {
            try String(contentsOfFile: directory.path("count"), encoding: .utf8).split(separator: "\n")
                .compactMap { Int($0) }.sorted()
        }
    }

    private func parallel(_ numbers: Range<Int>, on peer: Peer) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in numbers { group.addTask { try await peer.exec(number) } }
            try await group.waitForAll()
        }
    }

    @Test(arguments: Kind.allCases)
    func `each command runs exactly once, one after another and at the same time`(_ kind: Kind) async throws {
        let peer = try await Peer(kind)
        for round in 0..<testRounds(1) {
            let first = round * 30
            if round % 2 == 0 { try await parallel(first..<first + 8, on: peer) }
            for number in first + 8..<first + 12 { try await peer.exec(number) }
            try await parallel(first + 12..<first + 20, on: peer)
            if round % 2 == 1 { try await parallel(first..<first + 8, on: peer) }
            #expect(try peer.counts() == (0...round).flatMap { ($0 * 30)..<($0 * 30 + 20) })
            // Half of the rounds start without a shared connection.
            if round % 4 < 2 { try await peer.vt.check("profile", "connections", "--close") }
        }
    }

    @Test(arguments: Kind.allCases)
    func `a running command is not affected by others`(_ kind: Kind) async throws {
        let peer = try await Peer(kind)
        let stop = peer.directory.path("stop")
        let running = try peer.vt.start(
            "exec",
            "p",
            "while ! [ -e '\(stop)' ]; do sleep 0.01; done; echo late; exit 7",
            environment: SharedLab.sharing
        )
        for number in 0..<4 { try await peer.exec(number) }
        try await parallel(4..<8, on: peer)
        #expect(running.isRunning)
        try peer.directory.write("", to: "stop")
        #expect(try await running.wait() == .exited(7))
        #expect(String(decoding: await running.output.readToEnd(), as: UTF8.self) == "late\n")
        #expect(try peer.counts() == Array(0..<8))
    }

    @Test(arguments: [Kind.openSSH, .dropbear])
    func `copies are not affected by commands`(_ kind: Kind) async throws {
        let peer = try await Peer(kind)
        let bytes = noise(24 << 20)
        try Data(bytes).write(to: URL(fileURLWithPath: peer.directory.path("file")))
        for round in 0..<testRounds(1) {
            let target = peer.directory.path("copy \(round)")
            let copy = try peer.vt.start(
                "copy",
                peer.directory.path("file"),
                "p:\(target)",
                environment: SharedLab.sharing
            )
            try await parallel(round * 4..<round * 4 + 4, on: peer)
            #expect(try await copy.wait() == .exited(0))
            #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data(bytes))
            try FileManager.default.removeItem(atPath: target)
        }
    }

    @Test(arguments: Kind.allCases.filter(\.allowsAnother))
    func `consecutive commands share a connection unless a second channel ends it`(_ kind: Kind) async throws {
        let peer = try await Peer(kind)
        try await peer.exec(0)
        let first = peer.vt.muxServers
        for number in 1..<4 { try await peer.exec(number) }
        if ![.end, .endLate, .ignore].contains(kind) { #expect(peer.vt.muxServers == first) }
    }
}
