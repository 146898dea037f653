import Core
import Glibc
import System

/// Credentials, loaded as far as possible before connecting.
struct PreparedCredentials: Sendable {
    /// A private key that is ready to use.
    struct Identity: Sendable {
        var file: IdentityFile
        var passphrase: Secret?
        /// The key, if it is an RSA key; libssh2 parses all others from the file.
        var rsaKey: RSAKey?
        /// Whether the user must be asked for the passphrase.
        var isLocked = false
    }

    /// A certificate and its private key.
    struct Certificate: Sendable {
        enum Signer: Sendable {
            case agent(AgentClient.Key)
            case identity(Identity)
        }

        var certificate: UserCertificate
        var signer: Signer
    }

    var agent: AgentClient?
    /// The agent's keys; keys that match identity files come first, because servers disconnect after a few attempts.
    var agentKeys: [AgentClient.Key] = []
    var identities: [Identity] = []
    /// The certificates whose private key is available; tried before the keys.
    var certificates: [Certificate] = []
    var password: Credentials.SecretProvider
    /// The methods to try, in order.
    let methods: [AuthenticationMethod]
    /// Asks the user for credentials; nil if nothing is asked.
    let prompter: Prompter?
    /// The server's name in prompts.
    let promptHost: String
    /// The reasons why some credentials could not be used; part of the error if authentication fails.
    var skippedReasons: [VTError] = []

    /// The keys of the agent that match identity files, in the order of the files.
    private var matchingKeys: [AgentClient.Key] = []
    /// The signature algorithms that may be used.
    private let acceptedAlgorithms: [String]
    /// The minimum size of RSA keys (RequiredRSASize).
    private let minimumRSABits: Int?

    /// Loads the keys, requesting passphrases as needed; keys that cannot sign with an accepted algorithm are skipped.
    ///
    /// - Throws: For keys that were requested explicitly: `not-found`, `io`, `config` (readable by others),
    ///   `data.invalid` or `auth.denied` (DSA, missing or wrong passphrase).
    init(
        _ credentials: Credentials,
        of promptHost: String,
        prompter: Prompter?,
        accepting algorithms: [String],
        minimumRSABits: Int? = nil
    ) async throws(VTError) {
        (self.promptHost, self.prompter) = (promptHost, prompter)
        password = credentials.password
        methods = credentials.methods
        acceptedAlgorithms = algorithms
        self.minimumRSABits = minimumRSABits
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
        for path in credentials.certificates { addCertificate(path, isRequired: true) }
        for path in credentials.identities.flatMap({ UserCertificate.paths(ofKey: $0.path) }) {
            addCertificate(path, isRequired: false)
        }
        let others = credentials.isLimitedToIdentities ? [] : agentKeys.filter { !matchingKeys.contains($0) }
        agentKeys = matchingKeys + others
    }

    /// Checks, without asking the agent or requesting a passphrase, that the keys that were requested explicitly can be
    /// used.
    ///
    /// - Throws: As `init`.
    static func check(_ credentials: Credentials) throws(VTError) {
        guard credentials.methods.contains(.publicKey) else { return }
        for path in credentials.identities.filter(\.isRequired).map(\.path) {
            do throws(VTError) {
                var contents = try contents(ofFile: path)
                // The private key of a public key can be in the agent.
                guard credentials.agentSocket == nil || PublicKey(file: contents) == nil else { continue }
                let file = try IdentityFile(path: path, contents: &contents)
                if !file.isEncrypted { _ = try file.rsaKey(passphrase: nil) }
            } catch {
                guard error.code == .notFound, credentials.agentSocket != nil else { throw error }
            }
        }
    }

    private mutating func readAgent(_ socket: String?) async {
        guard let socket else { return }
        let agent = AgentClient(path: socket)
        do throws(VTError) {
            let keys = try await agent.keys()
            agentKeys = keys.filter { $0.isUsable && accepts($0.type) && objection(to: $0.blob, "") == nil }
            self.agent = agent
            if keys.isEmpty { skippedReasons.append(agent.noKeysError) }
            for key in keys {
                if !key.isUsable {
                    skippedReasons.append(agent.unusable(key))
                } else if !accepts(key.type) {
                    skippedReasons.append(Self.excluded("'\(key.comment)' in the SSH agent"))
                } else if let reason = objection(to: key.blob, "'\(key.comment)' in the SSH agent") {
                    skippedReasons.append(reason)
                }
            }
        } catch {
            skippedReasons.append(error)
        }
    }

    private mutating func add(_ path: String, passphrase: Credentials.SecretProvider) async throws(VTError) {
        var contents = try contents(of: path)
        // The private key of a public key can be in the agent.
        if let key = PublicKey(file: contents), prefersAgentKey(key.blob) { return }
        let file = try IdentityFile(path: path, contents: &contents)
        if let key = file.publicKey, prefersAgentKey(key), file.isEncrypted { return }
        guard accepts(file) else { return skippedReasons.append(Self.excluded("'\(path)'")) }
        var secret: Secret?
        if file.isEncrypted, !file.cannotBeDecrypted {
            secret = try await passphrase()
            if secret == nil, prompter != nil {
                identities.append(Identity(file: file, isLocked: true))
                return
            }
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
        if let rsaKey, let reason = objection(to: rsaKey.publicKey, "'\(path)'") {
            return skippedReasons.append(reason)
        }
        identities.append(Identity(file: file, passphrase: secret, rsaKey: rsaKey))
    }

    /// Loads a certificate; reports why it cannot be used, unless it need not exist.
    private mutating func addCertificate(_ path: String, isRequired: Bool) {
        let contents: [UInt8]
        do throws(VTError) {
            contents = try Self.contents(ofFile: path)
        } catch {
            if isRequired { skippedReasons.append(error) }
            return
        }
        guard let certificate = UserCertificate(path: path, contents: contents) else {
            if !isRequired, PublicKey(file: contents) != nil { return }
            skippedReasons.append(VTError(.dataInvalid, "'\(path)' is not a certificate of a supported type"))
            return
        }
        guard accepts(certificate.type) else { return skippedReasons.append(Self.excluded("'\(path)'")) }
        if let key = agentKeys.first(where: { $0.blob == certificate.publicKey }) {
            certificates.append(Certificate(certificate: certificate, signer: .agent(key)))
        } else if let identity = identities.first(where: { $0.file.publicKey == certificate.publicKey }) {
            certificates.append(Certificate(certificate: certificate, signer: .identity(identity)))
        } else {
            skippedReasons.append(VTError(.authDenied, "no private key for the certificate '\(path)'"))
        }
    }

    /// Tries a key of the agent before those that match no identity; returns false if the agent does not have it.
    private mutating func prefersAgentKey(_ blob: [UInt8]) -> Bool {
        guard let key = agentKeys.first(where: { $0.blob == blob }) else { return false }
        if !matchingKeys.contains(key) { matchingKeys.append(key) }
        return true
    }

    // MARK: - Algorithms

    /// Whether keys of a type can sign with an accepted algorithm.
    private func accepts(_ type: String?) -> Bool {
        type.map { acceptedAlgorithms.contains(SignatureRequest.algorithm(ofKeyType: $0)) } ?? false
    }

    private func accepts(_ file: IdentityFile) -> Bool {
        if let type = file.publicKey.flatMap({ HostKey(blob: $0)?.type }) { return accepts(type) }
        return switch file.kind {
        case .rsa: accepts("ssh-rsa")
        // Before it is decrypted, a key in PEM can be of any of these types.
        case .modern, .unknown, .dsa: true
        }
    }

    private static func excluded(_ key: String) -> VTError {
        VTError(.authDenied, "key \(key) was not used, because PubkeyAcceptedAlgorithms excludes its type")
    }

    /// The reason not to use a public key; nil if there is none.
    func objection(to blob: [UInt8], _ key: String) -> VTError? {
        guard let minimumRSABits, let bits = HostKey(blob: blob)?.rsaBits, bits < minimumRSABits else { return nil }
        return VTError(.authDenied, "RSA key \(key) was not used, because it is smaller than RequiredRSASize")
    }

    // MARK: - Files

    /// Reads a key or, if there is no such file, the public key with the same name.
    private func contents(of path: String) throws(VTError) -> [UInt8] {
        do throws(VTError) {
            return try Self.contents(ofFile: path)
        } catch {
            guard error.code == .notFound, agent != nil, let publicKey = try? Self.contents(ofFile: "\(path).pub"),
                let key = PublicKey(file: publicKey), agentKeys.contains(where: { $0.blob == key.blob })
            else { throw error }
            return publicKey
        }
    }

    private static func contents(ofFile path: String) throws(VTError) -> [UInt8] {
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

extension PublicKey {
    /// Parses the first line of a `.pub` file: type, key and comment (sshd(8), AUTHORIZED_KEYS FILE FORMAT).
    init?(file contents: [UInt8]) {
        let line = contents.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard fields.count >= 2, let blob = Base64.decode(fields[1]) else { return nil }
        let comment = fields.count == 3 ? String(decoding: fields[2], as: UTF8.self) : ""
        self.init(blob: blob, comment: comment)
        guard type.utf8.elementsEqual(fields[0]) else { return nil }
    }
}
