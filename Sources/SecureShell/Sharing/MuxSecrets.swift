import CLibCrypto
import Core

/// The secrets of a plan and its jump hosts, which a command reads before it uses a shared connection.
///
/// A connection may be used only by commands with the same secrets as the command that established it; a command whose
/// password is wrong would otherwise succeed.
struct MuxSecrets: Sendable {
    /// `Result` would look up conformances at run time.
    private enum Reading {
        case secret(Secret?)
        case failed(VTError)

        func get() throws(VTError) -> Secret? {
            switch self {
            case .secret(let secret): secret
            case .failed(let error): throw error
            }
        }
    }

    /// The secrets of each server: the target, its jump host, and so on.
    private var readings: [(passphrase: Reading, password: Reading)] = []

    init(_ plan: SSHPlan) async {
        var next: SSHPlan? = plan
        while let plan = next {
            let passphrase = await Self.reading(plan.credentials.passphrase)
            readings.append((passphrase, await Self.reading(plan.credentials.password)))
            next = if case .jump(let hop) = plan.route { hop } else { nil }
        }
    }

    private static func reading(_ provider: Credentials.SecretProvider) async -> Reading {
        do throws(VTError) {
            return .secret(try await provider())
        } catch {
            return .failed(error)
        }
    }

    /// Returns the secret of the server at a depth; throws the error with which it could not be read.
    func secret(_ purpose: SecretKey.Purpose, depth: UInt8) throws(VTError) -> Secret? {
        guard readings.indices.contains(Int(depth)) else { return nil }
        let server = readings[Int(depth)]
        return switch purpose {
        case .passphrase: try server.passphrase.get()
        case .password: try server.password.get()
        }
    }

    /// The SHA-256 digest of all secrets; empty if there are none.
    var digest: [UInt8] {
        let isEmpty = readings.allSatisfy { server in
            if case (.secret(nil), .secret(nil)) = server { true } else { false }
        }
        // Initializing libcrypto would take longer than the rest of a short command.
        guard !isEmpty else { return [] }
        var bytes: [UInt8] = []
        // An array that grows leaves copies behind.
        let secrets = readings.flatMap { [$0.passphrase, $0.password] }.compactMap { try? $0.get() }
        bytes.reserveCapacity(secrets.reduce(2 * readings.count * 5) { $0 + $1.bytes.count })
        for server in readings {
            Self.append(server.passphrase, to: &bytes)
            Self.append(server.password, to: &bytes)
        }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        unsafe SHA256(bytes, bytes.count, &digest)
        bytes.wipe()
        return digest
    }

    private static func append(_ reading: Reading, to bytes: inout [UInt8]) {
        switch reading {
        case .secret(let secret):
            bytes.appendBool(secret != nil)
            if let secret { bytes.appendString(secret.bytes) }
        case .failed: bytes.append(UInt8.max)
        }
    }
}
