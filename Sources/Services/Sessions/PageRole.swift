import Core

/// What a link allows.
package enum PageRole: String, CaseIterable, JSONReadable, Sendable {
    case read, write
    /// All sessions that the server serves, and typing.
    case owner

    var canType: Bool { self != .read }
}

extension PageRole: Comparable {
    package static func < (left: PageRole, right: PageRole) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .read: 0
        case .write: 1
        case .owner: 2
        }
    }

    /// The error for something that a link with this role does not allow.
    var denial: VTError {
        switch self {
        case .read: VTError(.authDenied, "the link is for watching only")
        case .write, .owner: VTError(.authDenied, "the link allows watching and typing only")
        }
    }
}
