/// A target given on the command line: this machine or a server.
package enum Target: Hashable, Sendable {
    /// This machine.
    case local
    /// A saved server.
    case profile(String)
    /// A server that is not saved.
    case adHoc(Destination)

    /// Parses `local`, `PROFILE`, `USER@HOST[:PORT]` or `ssh://[USER@]HOST[:PORT]`.
    ///
    /// - Throws: `usage` when the text is empty or a part of it is malformed.
    package init(parsing text: String) throws(VTError) {
        if text == ProfileName.local {
            self = .local
        } else if text.hasPrefix("ssh://") || text.contains("@") {
            self = .adHoc(try Destination(parsing: text))
        } else {
            guard !text.isEmpty else { throw VTError(.usage, "the target is empty") }
            self = .profile(text)
        }
    }

    /// The target as `init(parsing:)` accepts it.
    package var text: String {
        switch self {
        case .local: ProfileName.local
        case .profile(let name): name
        case .adHoc(let destination): destination.text
        }
    }

    /// The name of the machine: `local`, the profile or the host.
    package var machine: String {
        switch self {
        case .local: ProfileName.local
        case .profile(let name): name
        case .adHoc(let destination): destination.host
        }
    }
}
