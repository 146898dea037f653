import Core
import Foundation
import System
import TestSupport
import Testing

/// Ownership checks; the tests run as root, so that they can change ownership.
@Suite struct TrustedPathTests {
    private let scratch: ScratchDirectory
    private var file: String { scratch.path("vt/state/file") }

    init() throws {
        scratch = try ScratchDirectory()
        try scratch.write("text", to: "vt/state/file")
        for name in ["vt", "vt/state"] { chmod(scratch.path(name), 0o700) }
    }

    /// A UID that is unprivileged on every system.
    private static let other: uid_t = 65_534

    @Test func `reads the user's own files`() throws {
        #expect(try TrustedPath.read(file) == Array("text".utf8))
        #expect(try TrustedPath.read(scratch.path("vt/none")) == nil)
        try TrustedPath.check(directory: scratch.path("no/such/directory"))
        chmod(file, 0o644)
        chmod(scratch.path("vt"), 0o755)
        #expect(try TrustedPath.read(file) == Array("text".utf8))
    }

    @Test(.asRoot, arguments: ["vt/state/file", "vt/state"])
    func `rejects files of another user`(name: String) throws {
        chown(scratch.path(name), Self.other, gid_t.max)
        let error = #expect(throws: VTError.self) { try TrustedPath.read(file) }
        #expect(error?.code == .config)
        #expect(error?.message == "'\(scratch.path(name))' is owned by another user (uid 65534)")
    }

    @Test(arguments: ["vt/state/file", "vt/state", "vt"])
    func `rejects files and parent directories that others can write to`(name: String) throws {
        for mode: mode_t in [0o702, 0o777] {
            chmod(scratch.path(name), mode)
            let error = #expect(throws: VTError.self) { try TrustedPath.read(file) }
            #expect(error?.code == .config)
            #expect(error?.hint?.contains("chmod go-w \(scratch.path(name))") == true)
        }
    }

    @Test func `a world-writable sticky directory is allowed as a parent, but not as vt's own`() throws {
        chmod(scratch.path("vt"), 0o1777)
        #expect(try TrustedPath.read(file) != nil)
        chmod(scratch.path("vt/state"), 0o1777)
        #expect(throws: VTError.self) { try TrustedPath.read(file) }
    }

    @Test(.asRoot) func `the user's private group may write, but no other group`() throws {
        chmod(file, 0o660)
        #expect(try TrustedPath.read(file) != nil)
        chown(file, 0, 65_534)
        #expect(throws: VTError.self) { try TrustedPath.read(file) }
    }

    @Test func `checks the target of a symbolic link`() throws {
        try scratch.write("planted", to: "open/file")
        chmod(scratch.path("open/file"), 0o666)
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: scratch.path("open/file"))
        #expect(throws: VTError.self) { try TrustedPath.read(file) }
    }

    @Test(.asRoot) func `sends nothing to a socket of another user`() async throws {
        chmod(scratch.path, 0o755)
        chmod(scratch.path("vt"), 0o755)
        let directory = try scratch.makeDirectory("vt/theirs")
        chown(directory, Self.other, gid_t.max)
        let script = """
            import socket, sys
            server = socket.socket(socket.AF_UNIX)
            server.bind(sys.argv[1])
            server.listen(1)
            print("up", flush=True)
            connection, _ = server.accept()
            print("got", connection.recv(100), flush=True)
            """
        let words = ["--reuid", "65534", "--clear-groups", "/usr/bin/python3", "-c", script, "\(directory)/sock"]
        let server = try ProgramCall("/usr/bin/setpriv", words).start()
        try await server.output.read(until: "up\n")
        let error = #expect(throws: VTError.self) { _ = try UnixSocket.connect(to: "\(directory)/sock") }
        #expect(error?.code == .config)
        #expect(try await server.output.read(until: "\n") == "got b''\n")
    }
}
