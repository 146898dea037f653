import Core
import Glibc

/// Credentials with everything read that can be read before a server is contacted.
struct PreparedCredentials: Sendable {
    /// A private key that is ready for use.
    struct Identity: Sendable {
        var file: IdentityFile
        var passphrase: Secret?
    }

    var agent: AgentClient?
    /// The agent's keys, those of the identities first: servers end a connection after a few tries.
    var agentKeys: [AgentClient.Key] = []
    var identities: [Identity] = []
    var password: Credentials.SecretProvider
    /// Why credentials that are there were not usable; part of the error when nothing else is accepted.
    var obstacles: [String] = []

    /// Reads the keys, and asks for the passphrases that they need.
    ///
    /// A key that was asked for by name has to be usable, else: `not-found`, `io`, `config` (others can read it),
    /// `data.invalid`, `auth.denied` (RSA, or no passphrase).
    init(_ credentials: Credentials, mayUseRSA: RSASupport) async throws(VTError) {
        password = credentials.password
        await readAgent(credentials.agentSocket, mayUseRSA: mayUseRSA)
        for identity in credentials.identities {
            do throws(VTError) {
                try await add(identity.path, passphrase: credentials.passphrase, mayUseRSA: mayUseRSA)
            } catch {
                if identity.isRequired { throw error }
                if error.code != .notFound { obstacles.append(error.message) }
            }
        }
    }

    private mutating func readAgent(_ socket: String?, mayUseRSA: RSASupport) async {
        guard let socket else { return }
        let agent = AgentClient(path: socket)
        do throws(VTError) {
            agentKeys = try await agent.keys()
            self.agent = agent
        } catch {
            obstacles.append(error.message)
        }
        if case .no(let version) = mayUseRSA, agentKeys.contains(where: { $0.type == "ssh-rsa" }) {
            agentKeys.removeAll { $0.type == "ssh-rsa" }
            obstacles.append("RSA keys of the agent are left out: libssh2 \(version) signs with SHA-1 only")
        }
    }

    private mutating func add(
        _ path: String,
        passphrase: Credentials.SecretProvider,
        mayUseRSA: RSASupport
    ) async throws(VTError) {
        let file = try IdentityFile(path: path, contents: try Self.contents(of: path))
        if file.kind == .dsa { throw VTError(.authDenied, "cannot use DSA key '\(path)': servers take none any more") }
        if file.kind == .rsa, case .no(let version) = mayUseRSA {
            throw VTError(
                .authDenied,
                "cannot use RSA key '\(path)': libssh2 \(version) signs with SHA-1 only and modern servers refuse it",
                hint: "use another key: ssh-keygen -t ed25519; or vt with libssh2 1.11 or later; "
                    + "for an old server: vt profile edit PROFILE --allow-algorithm ssh-rsa"
            )
        }
        if let index = agentKeys.firstIndex(where: { $0.blob == file.publicKey }) {
            agentKeys.insert(agentKeys.remove(at: index), at: 0)
            if file.isEncrypted { return }
        }
        var secret: Secret?
        if file.isEncrypted {
            secret = try await passphrase()
            guard secret != nil else {
                throw VTError(
                    .authDenied,
                    "private key '\(path)' is encrypted and there is no passphrase for it",
                    hint:
                        "give one with --passphrase-command, -env or -file, or add the key to an agent: ssh-add '\(path)'"
                )
            }
        }
        identities.append(Identity(file: file, passphrase: secret))
    }

    private static func contents(of path: String) throws(VTError) -> [UInt8] {
        let file = try FileDescriptor.open(path, O_RDONLY | O_NOCTTY)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw .system(errno, "cannot read '\(path)'") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw VTError(.dataInvalid, "'\(path)' is no file") }
        guard status.st_mode & 0o077 == 0 else {
            throw VTError(
                .config,
                "others can read private key '\(path)'",
                hint: "chmod 600 '\(path)'"
            )
        }
        // No key is near this size (a 16,384-bit RSA key has 13 KB).
        return try BlockingIO.read(file.number, limit: 1 << 17)
    }
}

/// Whether RSA keys may be used to authenticate.
enum RSASupport: Sendable {
    case yes
    /// The library of this version signs with SHA-1 only, and the profile does not allow that.
    case no(libraryVersion: String)
}
