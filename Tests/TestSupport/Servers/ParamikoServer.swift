import Foundation

/// A server based on the Python package paramiko.
package final class ParamikoServer: Sendable {
    package let port: UInt16
    package let user = "tester"
    package let userKeys: KeyRing

    private let scratch: ScratchDirectory
    private let hostKeys: KeyRing
    private let daemon: Daemon

    package init() async throws {
        let scratch = try ScratchDirectory()
        let hostKeys = try await KeyRing([.ed25519])
        let userKeys = try await KeyRing.user()
        let user = self.user
        let authorized = try scratch.write(
            KeyRing.Kind.allCases.map { try userKeys.publicLine($0) + "\n" }.joined(),
            to: "authorized_keys"
        )
        daemon = try await Daemon.start(errorLog: scratch.path("log")) { port, _ in
            let script = TestTree.support("paramiko_server.py")
            return ([TestTree.python, script, "\(port)", hostKeys.path(.ed25519), user, authorized], [:])
        }
        self.scratch = scratch
        self.hostKeys = hostKeys
        self.userKeys = userKeys
        port = daemon.port
    }

    package func stop() {
        daemon.stop()
    }
}
