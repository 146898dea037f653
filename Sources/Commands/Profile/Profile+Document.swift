import Arguments
import Core

extension SecretStoreKind: JSONValue {}

extension Profile: JSONDocument {
    package static let documentName = "profile"
    package static let documentSummary = "a saved server"

    package static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .id: JSONField(\Self.id, "ID, which does not change when the profile is renamed")
        case .name: JSONField(\Self.name, "name")
        case .host: JSONField(\Self.host, "host name or address")
        case .port: JSONField(\Self.port, "port")
        case .user: JSONField(\Self.user, "user name; absent if it is the local user's")
        case .identities: JSONField(\Self.identities, "paths of private keys, in the order in which they are tried")
        case .agent: JSONField(\Self.agent, "whether keys of the SSH agent are tried")
        case .password: JSONField(\Self.password, "where the password comes from")
        case .passphrase: JSONField(\Self.passphrase, "where the passphrase of encrypted keys comes from")
        case .secretStore: JSONField(\Self.secretStore, "where stored secrets are kept")
        case .jump: JSONField(\Self.jump, "profile of the jump host")
        case .proxyCommand: JSONField(\Self.proxyCommand, "shell command that carries the connection")
        case .hostKeyPolicy: JSONField(.string, "`accept-new`, `strict`, or `pin` with a fingerprint: `pin SHA256:...`")
        case .knownHosts: JSONField(\Self.knownHosts, "known_hosts file to read in addition to the usual ones")
        case .allowedAlgorithms: JSONField(\Self.allowedAlgorithms, "weak algorithms that may be offered")
        case .connectTimeoutMilliseconds:
            JSONField(
                \Self.connectTimeoutMilliseconds,
                "limit for logging in; absent for the default",
                in: .milliseconds
            )
        case .keepAliveMilliseconds:
            JSONField(
                \Self.keepAliveMilliseconds,
                "interval of keep-alives; 0 disables them, absent for the default",
                in: .milliseconds
            )
        case .keepAliveCount:
            JSONField(\Self.keepAliveCount, "number of keep-alives that may go unanswered; absent for the default")
        case .cwd: JSONField(\Self.cwd, "working directory of commands")
        case .environment: JSONField(\Self.environment, "environment variables of commands")
        case .shell: JSONField(\Self.shell, "program that interprets command lines instead of the login shell")
        case .tags: JSONField(\Self.tags, "tags")
        case .note: JSONField(\Self.note, "note")
        case .createdAt: JSONField(\Self.createdAt, "when it was created", in: .time)
        case .lastConnectedAt: JSONField(\Self.lastConnectedAt, "when vt last connected to it", in: .time)
        }
    }
}

extension SecretSource: JSONDocument {
    package static let documentName = "secret source"
    package static let documentSummary = "where a secret comes from"

    package static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .from:
            JSONField(.choice(SecretSource.Kind.allCases.map(\.rawValue)), "kind of source; `stored`: the secret store")
        case .value: JSONField(.string, "name of the variable, path of the file, or shell command", isOptional: true)
        }
    }
}
