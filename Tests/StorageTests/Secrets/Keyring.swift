import Core
import Glibc
import System
import TestSupport

/// A real gnome-keyring on its own message bus.
final class Keyring: Sendable {
    let environment: Environment
    private let scratch: ScratchDirectory
    private let bus: RunningProgram
    private let daemon: RunningProgram

    init() async throws {
        scratch = try ScratchDirectory()
        let address = "unix:path=\(scratch.path("bus"))"
        // Without a directory of services, the bus starts no services itself.
        let configuration = try scratch.write(
            """
            <busconfig><type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*"/><allow own="*"/><allow eavesdrop="true"/></policy>
            </busconfig>
            """,
            to: "bus.conf"
        )
        let variables = [
            "HOME": scratch.path, "XDG_RUNTIME_DIR": scratch.path, "DBUS_SESSION_BUS_ADDRESS": address,
            "PATH": "/usr/bin:/bin",
        ]
        environment = Environment(variables)
        bus = try ProgramCall("/usr/bin/dbus-daemon", ["--nofork", "--config-file", configuration]).start()
        let socket = scratch.path("bus")
        guard await eventually({ access(socket, F_OK) == 0 }) else { throw FixtureError("no message bus") }
        daemon = try ProgramCall(
            "/usr/bin/gnome-keyring-daemon",
            ["--foreground", "--unlock", "--components=secrets"],
            environment: variables
        ).start()
        try daemon.input.write(Array("password of the keyring".utf8))
        daemon.input.close()
        let probe = ProgramCall("/usr/bin/secret-tool", ["lookup", "probe", "probe"], environment: variables)
        for _ in 0..<500 {
            // Without an error message, the keyring has replied that it has no such secret.
            if try await probe.run().errors.isEmpty { return }
        }
        throw FixtureError("the keyring did not respond")
    }
}
