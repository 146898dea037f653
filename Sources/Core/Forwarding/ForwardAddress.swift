/// The target of a forwarded connection.
package enum ForwardAddress: Hashable, Sendable {
    case endpoint(Endpoint)
    /// The path of a Unix domain socket.
    case socket(String)
}

extension ForwardAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .endpoint(let endpoint): endpoint.description
        case .socket(let path): path
        }
    }
}
