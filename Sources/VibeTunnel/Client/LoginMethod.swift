import Core
import HTTP

/// How a server that has refused a request wants clients to log in.
enum LoginMethod: Hashable, Sendable {
    /// A name and a password in each request: the servers of June 2025.
    case basic
    /// A token in exchange for a name and a password.
    case password
    /// A token in exchange for the signature of an SSH key.
    case sshKey

    /// The methods that a server allows, in the order in which they are tried.
    ///
    /// `refusal` is the answer 401, and `configuration` that of `/api/auth/config`, without which a server has no
    /// tokens. A server with both gets the password only once, and later commands need no second request.
    static func allowed(by refusal: HTTPAnswer, configuration: HTTPAnswer) -> [LoginMethod] {
        guard (200..<300).contains(configuration.status),
            let json = try? JSONOutlineParser.parse(configuration.body), json.members != nil
        else {
            let challenges = refusal.fields.filter { $0.name.lowercased() == "www-authenticate" }
            return [challenges.contains { $0.value.lowercased().hasPrefix("basic") } ? .basic : .password]
        }
        func isSet(_ name: String) -> Bool { json.member(name)?.bool(in: configuration.body) ?? false }
        let keys: [LoginMethod] = isSet("enableSSHKeys") ? [.sshKey] : []
        return isSet("disallowUserPassword") && !keys.isEmpty ? keys : [.password] + keys
    }
}
