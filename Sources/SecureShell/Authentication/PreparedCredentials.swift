import Core
import Glibc
import POSIX

/// Credentials, loaded as far as possible before connecting.
struct PreparedCredentials: Sendable {
    /// A private key that is ready to use.
    struct Identity: Sendable {
        var file: IdentityFile
        var passphrase: Secret?
        /// The key, if it is an RSA key; libssh2 parses all others from the file.
        var rsaKey: RSAKey?
    }

    var agent: AgentClient?
    /// The agent's keys; keys that match identity files come first, because servers disconnect after a few attempts.
    var agentKeys: [AgentClient.Key] = []
    var identities: [Identity] = []
    var password: Credentials.SecretProvider
    /// The methods to try, in order.
    let methods: [AuthenticationMethod]
    /// The reasons why some credentials could not be used; part of the error if authentication fails.
    var skippedReasons: [VTError] = []

    /// Loads the keys, requesting passphrases as needed.
    ///
    /// - Throws: For keys that were requested explicitly: `not-found`, `io`, `config` (readable by others),
    ///   `data.invalid` or `auth.denied` (DSA, missing or wrong passphrase).
    init(_ credentials: Credentials) async throws(VTError) {
        password = credentials.password
        methods = credentials.methods
        guard methods.contains(.publicKey) else { return }
        await readAgent(credentials.agentSocket)
        for identity in credentials.identities {
            do throws(VTError) {
                try await add(identity.path, passphrase: credentials.passphrase)
            } catch {
                if identity.isRequired { throw error }
                if error.code != .notFound { skippedReasons.append(error) }
            }
        }
    }

    private mutating func readAgent(_ socket: String?) async {
        guard let socket else { return }
        let agent = AgentClient(path: socket)
        do throws(VTError) {
            let keys = try await agent.keys()
            agentKeys = keys.filter(\.isUsable)
            self.agent = agent
            if keys.isEmpty { skippedReasons.append(agent.noKeysError) }
            skippedReasons += keys.filter { !$0.isUsable }.map(agent.unusable)
        } catch {
            skippedReasons.append(error)
        }
    }

    private mutating func add(_ path: String, passphrase: Credentials.SecretProvider) async throws(VTError) {
        var contents = try Self.contents(of: path)
        let file = try IdentityFile(path: path, contents: &contents)
        if let index = agentKeys.firstIndex(where: { $0.blob == file.publicKey }) {
            agentKeys.insert(agentKeys.remove(at: index), at: 0)
            if file.isEncrypted { return }
        }
        var secret: Secret?
        if file.isEncrypted, !file.cannotBeDecrypted {
            secret = try await passphrase()
            guard secret != nil else {
                let name = ByteString(path).shellQuoted.repairedText
                throw VTError(
                    .authDenied,
                    "private key '\(path)' is encrypted, and no passphrase was given",
                    hint: "use --passphrase-command, --passphrase-env or --passphrase-file, "
                        + "or add the key to an agent: ssh-add \(name)"
                )
            }
        }
        let rsaKey = try file.rsaKey(passphrase: secret)
        identities.append(Identity(file: file, passphrase: secret, rsaKey: rsaKey))
    }

    private static func contents(of path: String) throws(VTError) -> [UInt8] {
        let file = try FileDescriptor.openForReading(path)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw .system(errno, "cannot read '\(path)'") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw VTError(.dataInvalid, "'\(path)' is not a regular file")
        }
        // No key is this large (a 16,384-bit RSA key takes 13 KB).
        var contents = try BlockingIO.read(file.number, limit: 1 << 17)
        guard status.st_mode & 0o077 == 0 || IdentityFile.isPublic(contents) else {
            contents.wipe()
            throw VTError(
                .config,
                "private key '\(path)' is readable by other users",
                hint: "make the file private: chmod 600 \(ByteString(path).shellQuoted.repairedText)"
            )
        }
        return contents
    }
}
