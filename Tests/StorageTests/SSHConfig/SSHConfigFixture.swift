import Core
import Storage
import System
import TestSupport

/// A test's own configuration files, read by vt and by ssh.
struct SSHConfigFixture {
    let scratch: ScratchDirectory
    /// The actual user: ssh reads the name and home directory from the passwd database, not the environment.
    let account: Account

    init() throws {
        scratch = try ScratchDirectory()
        guard let account = Account.current() else { throw FixtureError("no passwd entry") }
        self.account = account
    }

    func read(_ text: String, runsPrograms: Bool = false) throws -> any SSHConfiguration {
        try scratch.write(text, to: "config")
        return try reader(home: account.home).read(scratch.path("config"), runsPrograms: runsPrograms)
    }

    /// A reader whose configuration for all users is in the directory `system`.
    func reader(home: String) -> FileSSHConfigurationReader {
        FileSSHConfigurationReader(
            home: home,
            account: account,
            environment: Environment(["KEYS": "/keys"]),
            systemDirectory: scratch.path("system")
        )
    }

    func settings(_ text: String, _ host: String, runsPrograms: Bool = false) throws -> HostSettings {
        try read(text, runsPrograms: runsPrograms).settings(for: host, given: [:])
    }

    /// The output of `ssh -G` for the same file: values by keyword.
    func reference(_ text: String, _ host: String) async throws -> [String: [String]] {
        let path = try scratch.write(text, to: "config")
        let output = try await ProgramCall(
            "/usr/bin/ssh",
            ["-G", "-F", path, host],
            environment: ["KEYS": "/keys", "HOME": account.home]
        ).check()
        return output.split(separator: "\n").reduce(into: [:]) { values, line in
            let parts = line.split(separator: " ", maxSplits: 1)
            values[String(parts[0]), default: []].append(parts.count == 2 ? String(parts[1]) : "")
        }
    }
}
