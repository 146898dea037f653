import Core
import Foundation
import Storage
import Synchronization
import TestSupport

/// Diagnostics that record notes and ignore details.
final class RecordingDiagnostics: Diagnostics {
    private let lines = Mutex<[String]>([])

    var notes: [String] { lines.withLock { $0 } }

    func note(_ message: String) {
        lines.withLock { $0.append(message) }
    }

    func detail(_ message: @autoclosure () -> String) {}
}

/// Trust stores with a test's own files, and keys created by ssh-keygen.
struct TrustFixture {
    let scratch: ScratchDirectory
    let diagnostics = RecordingDiagnostics()
    var ownFile: String { scratch.path("vt/known_hosts") }
    var home: String { scratch.path("home") }
    var userFile: String { "\(home)/.ssh/known_hosts" }
    let host = Endpoint(host: "Web.example")
    let otherPort = Endpoint(host: "web.example", port: 2222)

    init() throws {
        scratch = try ScratchDirectory()
    }

    /// Returns a new store, which shares only its files with other stores.
    func store(timeout: Duration = .seconds(10)) -> FileTrustStore {
        FileTrustStore(
            ownFile: ownFile,
            home: home,
            globalFiles: [scratch.path("ssh_known_hosts")],
            diagnostics: diagnostics,
            lockTimeout: timeout
        )
    }

    func check(
        _ key: TestKey,
        _ endpoint: Endpoint? = nil,
        _ policy: HostKeyPolicy = .acceptNew,
        in lookup: HostKeyLookup = HostKeyLookup()
    ) throws(VTError) -> TrustVerdict {
        try store().check(key.hostKey, for: endpoint ?? host, policy: policy, in: lookup)
    }

    func write(own lines: String...) throws {
        try scratch.write(lines.map { $0 + "\n" }.joined(), to: "vt/known_hosts")
    }

    func write(user lines: String...) throws {
        try scratch.write(lines.map { $0 + "\n" }.joined(), to: "home/.ssh/known_hosts")
    }

    var own: String {
        get throws { String(decoding: try scratch.read("vt/known_hosts"), as: UTF8.self) }
    }

    func key(_ type: TestKey.Kind = .ed25519) async throws -> TestKey {
        try await TestKey(type, in: scratch)
    }
}

/// A key pair created by ssh-keygen.
struct TestKey {
    enum Kind: String, CaseIterable {
        case ed25519, ecdsa, rsa
    }

    let path: String
    let hostKey: HostKey
    /// `TYPE BASE64`, as at the end of a known_hosts line.
    let text: String

    init(_ kind: Kind, in scratch: ScratchDirectory) async throws {
        path = scratch.path("key-\(UUID().uuidString)")
        try await ProgramCall("/usr/bin/ssh-keygen", ["-q", "-t", kind.rawValue, "-N", "", "-C", "", "-f", path])
            .check()
        let fields = try String(contentsOfFile: path + ".pub", encoding: .utf8).split(whereSeparator: \.isWhitespace)
        text = "\(fields[0]) \(fields[1])"
        guard let blob = Data(base64Encoded: String(fields[1])), let key = HostKey(blob: Array(blob)) else {
            throw FixtureError("no key in \(path).pub")
        }
        hostKey = key
    }
}
