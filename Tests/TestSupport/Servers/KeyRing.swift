import Foundation
import Synchronization

/// Key pairs for users and servers, created with ssh-keygen.
package struct KeyRing: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case ed25519
        case ecdsa
        case rsa
        /// An ed25519 key encrypted with `KeyRing.passphrase`.
        case encrypted

        fileprivate var options: [String] {
            switch self {
            case .ed25519: ["-t", "ed25519", "-N", ""]
            case .ecdsa: ["-t", "ecdsa", "-b", "256", "-N", ""]
            case .rsa: ["-t", "rsa", "-b", "2048", "-N", ""]
            case .encrypted: ["-t", "ed25519", "-a", "4", "-N", KeyRing.passphrase]
            }
        }
    }

    package static let passphrase = "open sesame"

    private let scratch: ScratchDirectory

    /// Creates keys of these kinds.
    package init(_ kinds: [Kind] = [.ed25519]) async throws {
        scratch = try ScratchDirectory()
        for kind in kinds {
            let name = ["-f", path(kind), "-C", kind.rawValue, "-q"]
            try await ProgramCall("ssh-keygen", kind.options + name).check()
        }
    }

    fileprivate var directory: String { scratch.path }

    /// The path of the private key; the public key has the suffix `.pub`.
    package func path(_ kind: Kind) -> String {
        scratch.path(kind.rawValue)
    }

    /// The public key line, as in authorized_keys(5).
    package func publicLine(_ kind: Kind) throws -> String {
        try String(contentsOfFile: path(kind) + ".pub", encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    /// The fingerprint as printed by `ssh-keygen -l`: `SHA256:…`.
    package func fingerprint(_ kind: Kind) async throws -> String {
        let line = try await ProgramCall("ssh-keygen", ["-l", "-f", path(kind) + ".pub"]).check()
        return String(line.split(separator: " ")[1])
    }

    /// User keys of every kind, created once and shared by all tests of a run.
    package static func user() async throws -> KeyRing {
        try await sharedUserKeys.value
    }
}

private let sharedUserKeys = Task {
    let keys = try await KeyRing(KeyRing.Kind.allCases)
    sharedDirectory.withLock { $0 = keys.directory }
    // Global objects are never released, so remove the directory at exit.
    atexit { sharedDirectory.withLock { if let path = $0 { try? FileManager.default.removeItem(atPath: path) } } }
    return keys
}

private let sharedDirectory = Mutex<String?>(nil)
