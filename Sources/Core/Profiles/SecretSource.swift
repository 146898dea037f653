/// Where a password or passphrase comes from.
///
/// The secret itself is never stored in a profile.
package enum SecretSource: Hashable, Sendable {
    /// There is no secret.
    case none
    /// The secret is in the secret store.
    case stored
    /// The environment variable with this name.
    case environment(String)
    /// The first line of this file.
    case file(String)
    /// The first line of this shell command's output.
    case command(String)
}

/// JSON: `{"from":"none"}`, `{"from":"stored"}`, or `env`, `file` or `command` with a `value`.
extension SecretSource: Encodable {
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case from
        case value
    }

    package enum Kind: String, CaseIterable, Encodable {
        case none, stored, env, file, command
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let (kind, value): (Kind, String?) =
            switch self {
            case .none: (.none, nil)
            case .stored: (.stored, nil)
            case .environment(let name): (.env, name)
            case .file(let path): (.file, path)
            case .command(let line): (.command, line)
            }
        try container.encode(kind, forKey: .from)
        try container.encodeIfPresent(value, forKey: .value)
    }
}
