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
        case .host: JSONField(\Self.host, "host name or address; empty if `via` is set")
        case .port: JSONField(\Self.port, "port")
        case .user: JSONField(\Self.user, "user name; absent for the local user name")
        case .identities: JSONField(\Self.identities, "paths of private keys, in the order in which they are tried")
        case .agent: JSONField(\Self.agent, "whether keys of the SSH agent are tried")
        case .password: JSONField(\Self.password, "source of the password")
        case .passphrase: JSONField(\Self.passphrase, "source of the passphrase of encrypted keys")
        case .secretStore: JSONField(\Self.secretStore, "store that contains saved secrets")
        case .jump: JSONField(\Self.jump, "profile of the jump host")
        case .proxyCommand: JSONField(\Self.proxyCommand, "shell command through which vt connects")
        case .via:
            JSONField(
                \Self.via,
                "program used instead of SSH: commands run over its standard streams, and the SSH fields have no "
                    + "meaning"
            )
        case .hostKeyPolicy: JSONField(.string, "`accept-new`, `strict`, or `pin` with a fingerprint: `pin SHA256:...`")
        case .knownHosts: JSONField(\Self.knownHosts, "additional known_hosts file to read")
        case .allowedAlgorithms: JSONField(\Self.allowedAlgorithms, "weak algorithms that are allowed")
        case .connectTimeoutMilliseconds:
            JSONField(
                \Self.connectTimeoutMilliseconds,
                "timeout for logging in; absent for the default",
                in: .milliseconds
            )
        case .keepAliveMilliseconds:
            JSONField(
                \Self.keepAliveMilliseconds,
                "keep-alive interval; 0 disables keep-alives; absent for the default",
                in: .milliseconds
            )
        case .keepAliveCount:
            JSONField(
                \Self.keepAliveCount,
                "number of unanswered keep-alives after which vt disconnects; absent for the default"
            )
        case .shareMilliseconds:
            JSONField(
                \Self.shareMilliseconds,
                "how long an unused connection is kept open for other commands; 0 disables sharing; absent for the "
                    + "default",
                in: .milliseconds
            )
        case .cwd: JSONField(\Self.cwd, "working directory of commands")
        case .environment: JSONField(\Self.environment, "environment variables of commands")
        case .shell: JSONField(\Self.shell, "program that interprets command lines instead of the login shell")
        case .tags: JSONField(\Self.tags, "tags")
        case .note: JSONField(\Self.note, "note")
        case .createdAt: JSONField(\Self.createdAt, "time of creation", in: .time)
        case .lastConnectedAt:
            JSONField(
                \Self.lastConnectedAt,
                "time of the last connection, updated at most once an hour",
                in: .time
            )
        }
    }
}

extension SecretSource: JSONDocument {
    package static let documentName = "secret source"
    package static let documentSummary = "the source of a secret"

    package static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .from:
            JSONField(.choice(SecretSource.Kind.allCases.map(\.rawValue)), "kind of source; `stored`: the secret store")
        case .value: JSONField(.string, "name of the variable, path of the file, or shell command", isOptional: true)
        }
    }
}
