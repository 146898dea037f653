import Foundation
import TestSupport
import Testing

/// `vt ssh` with the options that name known_hosts files, compared with ssh(1).
@Suite(.crowded)
struct SSHKnownHostsTests {
    /// A server, and files for its host keys.
    private struct Place {
        let lab: Lab
        let scratch: ScratchDirectory

        init() async throws {
            lab = try await Lab()
            scratch = try ScratchDirectory()
        }

        func path(_ name: String) -> String { scratch.path(name) }

        /// The options of a call to the server by its address.
        private func words(_ options: [String]) -> [String] {
            let fixed = ["BatchMode=yes", "IdentitiesOnly=yes", "IdentityFile=\(lab.server.userKeys.path(.ed25519))"]
            return ["-F", "none", "-p", "\(lab.server.port)"] + (options + fixed).flatMap { ["-o", $0] }
                + ["\(lab.server.user)@127.0.0.1", "echo ran"]
        }

        func vt(_ options: [String], environment: [String: String] = [:]) async throws -> ProgramResult {
            try await lab.vt.call(["ssh"] + words(options), environment: environment).run()
        }

        func ssh(_ options: [String]) async throws -> ProgramResult {
            try await ProgramCall("ssh", words(options), environment: lab.vt.environment).run()
        }

        /// The contents of a file; nil if it does not exist.
        func contents(_ name: String) -> String? {
            try? String(contentsOfFile: path(name), encoding: .utf8)
        }
    }

    static let cases: [[String]] = [
        ["StrictHostKeyChecking=accept-new"],
        ["StrictHostKeyChecking=no"],
        ["StrictHostKeyChecking=yes"],
        ["StrictHostKeyChecking=no", "HostKeyAlias=Some.Alias"],
        ["StrictHostKeyChecking=no", "CheckHostIP=no", "HashKnownHosts=no"],
    ]

    @Test(arguments: cases)
    func `stores what ssh stores, in the first of the named files`(options: [String]) async throws {
        let place = try await Place()
        let global = "GlobalKnownHostsFile=\(place.path("global"))"
        let ours = ["UserKnownHostsFile=\(place.path("vt")) \(place.path("other"))", global] + options
        let theirs = ["UserKnownHostsFile=\(place.path("ssh")) \(place.path("other"))", global] + options
        for _ in 0..<2 {
            let (vt, ssh) = (try await place.vt(ours), try await place.ssh(theirs))
            #expect(vt.status == ssh.status, "\(vt.errorText)\n\(ssh.errorText)")
            #expect(vt.text == ssh.text)
            #expect(place.contents("vt") == place.contents("ssh"))
        }
        #expect(place.contents("other") == nil && place.contents("global") == nil)
        #expect(!FileManager.default.fileExists(atPath: "\(place.lab.vt.stateHome)/known_hosts"))
    }

    @Test(arguments: ["/dev/null", "none"])
    func `never stores a key without a file, which is not an error`(file: String) async throws {
        let place = try await Place()
        let options = ["UserKnownHostsFile=\(file)", "StrictHostKeyChecking=no"]
        for _ in 0..<2 {
            let result = try await place.vt(options)
            #expect(result.text == "ran\n" && result.errorText.hasPrefix("vt: accepted the new host key of"))
            #expect(try await place.vt(options + ["LogLevel=ERROR"]).errors.isEmpty)
        }
        #expect(!FileManager.default.fileExists(atPath: "\(place.lab.vt.stateHome)/known_hosts"))
        let strict = try await place.vt(["UserKnownHostsFile=\(file)", "StrictHostKeyChecking=yes"])
        #expect(strict.status == .exited(255) && strict.errorText.contains("(host-key.unknown)"))
    }

    @Test(arguments: ["no", "accept-new", "yes"])
    func `rejects a changed key regardless of the policy`(policy: String) async throws {
        let place = try await Place()
        let file = place.path("known")
        let other = try place.lab.server.userKeys.publicLine(.ed25519)
        try "# mine\n[127.0.0.1]:\(place.lab.server.port) \(other)\n".write(
            toFile: file,
            atomically: true,
            encoding: .utf8
        )
        let result = try await place.vt(["UserKnownHostsFile=\(file)", "StrictHostKeyChecking=\(policy)"])
        #expect(result.status == .exited(255) && result.text.isEmpty)
        #expect(result.errorText.contains("'\(file)' line 2"), "\(result.errorText)")
        #expect(!place.lab.server.log.contains("Accepted"))
    }

    @Test func `ssh-keygen and ssh find a hashed name`() async throws {
        let place = try await Place()
        let options = ["UserKnownHostsFile=\(place.path("known"))", "GlobalKnownHostsFile=none"]
        let stored = try await place.vt(options + ["HashKnownHosts=yes", "StrictHostKeyChecking=accept-new"])
        #expect(stored.text == "ran\n", "\(stored.errorText)")
        #expect(place.contents("known")?.hasPrefix("|1|") == true)
        #expect(try await place.ssh(options + ["StrictHostKeyChecking=yes"]).text == "ran\n")
        #expect(try await place.vt(options + ["StrictHostKeyChecking=yes"]).text == "ran\n")
    }

    // MARK: - Shared connections

    @Test func `a host without a profile has a shared connection`() async throws {
        let place = try await Place()
        let options = ["UserKnownHostsFile=\(place.path("known"))", "StrictHostKeyChecking=accept-new"]
        let sharing = SharedLab.sharing
        for _ in 0..<3 {
            #expect(try await place.vt(options, environment: sharing).text == "ran\n")
        }
        let accepted = {
            place.lab.server.log.split(whereSeparator: \.isNewline).count { $0.contains("Accepted publickey") }
        }
        #expect(accepted() == 1)
        let list = try await place.lab.vt.run("profile", "connections", environment: sharing).text
        #expect(list.contains("127.0.0.1") && list.contains("\(place.lab.server.user)@127.0.0.1:"), "\(list)")
        // A dedicated connection, on request.
        #expect(try await place.vt(options + ["ControlPath=none"], environment: sharing).text == "ran\n")
        #expect(accepted() == 2)
        try await place.lab.vt.check("profile", "connections", "--close")
        #expect(try await place.vt(options, environment: sharing).text == "ran\n")
        #expect(accepted() == 3)
    }

    @Test func `a shared connection ends when the key is no longer in the named file`() async throws {
        let place = try await Place()
        let file = "UserKnownHostsFile=\(place.path("known"))"
        #expect(try await place.vt([file], environment: SharedLab.sharing).text == "ran\n")
        #expect(
            try await place.vt([file, "StrictHostKeyChecking=yes"], environment: SharedLab.sharing).text == "ran\n"
        )
        let other = try place.lab.server.userKeys.publicLine(.ed25519)
        try "[127.0.0.1]:\(place.lab.server.port) \(other)\n".write(
            toFile: place.path("known"),
            atomically: true,
            encoding: .utf8
        )
        for options in [[file], [file, "StrictHostKeyChecking=yes"]] {
            let result = try await place.vt(options, environment: SharedLab.sharing)
            #expect(result.status == .exited(255) && result.errorText.contains("(host-key.changed)"))
        }
    }

    @Test func `a shared connection stays open if there is no file for its key`() async throws {
        let place = try await Place()
        let options = ["UserKnownHostsFile=/dev/null", "StrictHostKeyChecking=no"]
        for _ in 0..<3 { #expect(try await place.vt(options, environment: SharedLab.sharing).text == "ran\n") }
        #expect(
            place.lab.server.log.split(whereSeparator: \.isNewline).count { $0.contains("Accepted publickey") } == 1
        )
    }
}
