import Core

/// How a session without an exit status ended. The parameter `name` is its name in messages; nil means its own.
extension Session {
    package static let unknownStatus = "the exit status of its program is unknown"

    /// How the session ended, or is about to end.
    func endText(as name: String? = nil, lost reason: String = "its holder is gone") -> String {
        let name = name ?? self.name
        return switch state {
        case .lost: lostText(as: name, reason)
        case .failed: "'\(name)' could not be started"
        case .unreadable: "the record of '\(name)' cannot be read"
        case .frozen, .paused: "'\(name)' is \(state.rawValue)"
        case .starting, .running, .exited: "'\(name)' has ended"
        }
    }

    package func lostText(as name: String? = nil, _ reason: String = unknownStatus) -> String {
        "'\(name ?? self.name)' was lost: \(reason)"
    }

    /// The error for a session that ended without an exit status.
    package func unknownEnd(as name: String? = nil) -> VTError {
        if let error = suspensionError(as: name) { return error }
        let message =
            state == .failed
            ? "the program of '\(name ?? self.name)' could not be started" : endText(as: name, lost: Self.unknownStatus)
        return VTError(.ended, message, hint: detailsHint(as: name))
    }

    /// The hint of an error about the end of the session, which with `--rm` can be removed at any time.
    func detailsHint(as name: String? = nil) -> String {
        keepFor == .zero
            ? "to keep a session for a while after its end, create it with --keep-for instead of --rm"
            : "for details, use 'vt sessions show \(name ?? self.name)'"
    }
}
