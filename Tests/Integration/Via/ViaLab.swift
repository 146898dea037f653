import Foundation
import TestSupport

/// A vt with profiles that are reached through programs.
struct ViaLab: Sendable {
    /// A way to run commands elsewhere.
    enum Transport: String, CaseIterable, Sendable {
        /// Runs the words of the command.
        case env
        /// Runs the command line.
        case shell
        /// A root with only busybox.
        case chroot
        case bwrap
        /// OpenSSH's client, to a test server.
        case ssh

    }

    let vt: Vt
    /// The HOME of commands with `env` and `shell`.
    let home: String
    private let scratch: ScratchDirectory
    private let server: OpenSSHServer?

    /// Adds the profile `p`, which uses this transport.
    init(_ transport: Transport = .env) async throws {
        vt = try Vt()
        scratch = try ScratchDirectory()
        server = transport == .ssh ? try await OpenSSHServer() : nil
        home = try scratch.makeDirectory("home")
        try await addProfile("p", try command(transport))
    }

    func addProfile(_ name: String, _ command: String, _ options: [String] = []) async throws {
        try await vt.call(["profile", "add", name, "--via", command] + options).check()
    }

    private func command(_ transport: Transport) throws -> String {
        let far = "env HOME=\(home) VT_HOME=\(home)/vt"
        switch transport {
        case .env: return far
        case .shell: return "\(far) sh -c {line}"
        case .chroot:
            try makeRoot()
            return (getuid() == 0 ? "" : "unshare -r ") + "chroot \(root) {argv}"
        case .bwrap:
            return "bwrap --bind / / --dev /dev --tmpfs /mnt --setenv HOME \(home) --"
        case .ssh:
            guard let server else { throw FixtureError("no server") }
            let options = "-F none -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null"
            let address = "-i \(server.userKeys.path(.ed25519)) -p \(server.port) \(server.user)@127.0.0.1"
            return "ssh \(options) \(address) {line}"
        }
    }

    /// The HOME of commands with `ssh`.
    var serverHome: String { server?.home ?? "" }

    /// The root directory of `chroot`.
    var root: String { scratch.path("root") }

    /// Creates a root with busybox and the libraries that it needs.
    private func makeRoot() throws {
        let script = """
            set -e; mkdir -p bin root tmp dev; cp /bin/busybox bin
            for library in $(ldd /bin/busybox | grep -o '/[^ ]*'); do cp --parents "$library" .; done
            for name in $(bin/busybox --list); do [ $name = busybox ] || ln -s busybox bin/$name; done
            """
        let make = Process()
        make.executableURL = URL(fileURLWithPath: "/bin/sh")
        make.arguments = ["-c", script]
        make.currentDirectoryURL = URL(fileURLWithPath: try scratch.makeDirectory("root"))
        try make.run()
        make.waitUntilExit()
        guard make.terminationStatus == 0 else { throw FixtureError("cannot make a root") }
    }

    /// Creates a link to vt in the home of the commands.
    func linkVt() throws {
        let directory = try scratch.makeDirectory("home/.local/bin")
        try FileManager.default.createSymbolicLink(atPath: "\(directory)/vt", withDestinationPath: TestTree.vt)
    }
}
