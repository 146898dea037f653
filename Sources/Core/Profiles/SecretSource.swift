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
extension SecretSource: JSONDocument, JSONReadable {
    package enum Kind: String, CaseIterable, JSONReadable {
        case none, stored, env, file, command
    }

    package static let documentName = "secret source"
    package static let documentSummary = "the source of a secret"

    package static let fields: JSONTable<Self> = [
        .field("from", \.kind, "kind of source; `stored`: the secret store"),
        .field("value", \.value, "name of the variable, path of the file, or shell command"),
    ]

    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        switch try json.required("from", in: document) as Kind {
        case .none: self = .none
        case .stored: self = .stored
        case .env: self = .environment(try json.required("value", in: document))
        case .file: self = .file(try json.required("value", in: document))
        case .command: self = .command(try json.required("value", in: document))
        }
    }

    private var kind: Kind {
        switch self {
        case .none: .none
        case .stored: .stored
        case .environment: .env
        case .file: .file
        case .command: .command
        }
    }

    private var value: String? {
        switch self {
        case .none, .stored: nil
        case .environment(let value), .file(let value), .command(let value): value
        }
    }
}
