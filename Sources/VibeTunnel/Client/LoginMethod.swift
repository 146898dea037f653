import Core
import HTTP

/// How a server that has refused a request wants clients to log in.
enum LoginMethod: Hashable, Sendable {
    /// A name and a password in each request: the servers of June 2025.
    case basic
    /// A token in exchange for a name and a password.
    case password
    /// A token in exchange for the signature of an SSH key only.
    case sshKey

    /// The method that the answer 401 names; nil if `/api/auth/config` has to be asked.
    init?(refusal: HTTPAnswer) {
        let challenges = refusal.fields.filter { $0.name.lowercased() == "www-authenticate" }
        guard challenges.contains(where: { $0.value.lowercased().hasPrefix("basic") }) else { return nil }
        self = .basic
    }

    /// The method in the answer of `/api/auth/config`; a server without it has only the password.
    init(configuration answer: HTTPAnswer) {
        guard let json = try? JSONOutlineParser.parse(answer.body) else {
            self = .password
            return
        }
        func isSet(_ name: String) -> Bool { json.member(name)?.bool(in: answer.body) ?? false }
        self = isSet("disallowUserPassword") && isSet("enableSSHKeys") ? .sshKey : .password
    }
}
