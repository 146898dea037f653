/// The attributes of a file, on this machine or on a server; nil for each attribute that a server does not report.
package struct FileAttributes: Hashable, Sendable {
    package enum Kind: String, CaseIterable, JSONValue, Sendable {
        case file
        case directory
        case link
        /// A device, a FIFO, a socket, or a file whose kind the server does not report.
        case other

        /// The kind in the type bits of a mode (inode(7)), which SFTP uses on all systems.
        package init(mode: UInt32) {
            self =
                switch mode & 0o170000 {
                case 0o100000: .file
                case 0o040000: .directory
                case 0o120000: .link
                default: .other
                }
        }
    }

    package var kind: Kind
    package var sizeBytes: UInt64?
    /// The low twelve bits of the mode: the permissions, set-user-ID, set-group-ID and the sticky bit.
    package var mode: UInt16?
    package var times: FileTimes?
    package var owner: FileOwner?
    /// Differs after every change to the file, and after its replacement by another file; nil if the system does not
    /// report enough to be certain, such as a server with times in seconds.
    package var version: UInt64?

    /// Whether the system does not report what kind of file this is.
    package var isOfUnknownKind: Bool { kind == .other && mode == nil }

    /// The mode for a copy, which has another owner: without set-user-ID and set-group-ID.
    package var copiedMode: UInt16? {
        mode.map { $0 & (kind == .directory ? 0o1777 : 0o777) }
    }

    package init(
        kind: Kind,
        sizeBytes: UInt64? = nil,
        mode: UInt16? = nil,
        times: FileTimes? = nil,
        owner: FileOwner? = nil,
        version: UInt64? = nil
    ) {
        self.kind = kind
        self.sizeBytes = sizeBytes
        self.mode = mode
        self.times = times
        self.owner = owner
        self.version = version
    }
}

extension UnsignedInteger {
    /// The number in octal, with at least this many digits; four are usual for a mode.
    package func octal(digits count: Int = 4) -> String {
        let digits = String(self, radix: 8)
        return String(repeating: "0", count: Swift.max(0, count - digits.utf8.count)) + digits
    }
}

/// The numeric IDs of the user and the group that own a file.
package struct FileOwner: Hashable, Sendable {
    package var userID: UInt32
    package var groupID: UInt32

    package init(userID: UInt32, groupID: UInt32) {
        self.userID = userID
        self.groupID = groupID
    }
}

/// The times of a file, in seconds since 1970-01-01T00:00:00Z.
package struct FileTimes: Hashable, Sendable {
    package var accessed: Int64
    package var modified: Int64
    /// The fraction of the time of modification; 0 if the system reports only seconds.
    package var modifiedNanoseconds: Int

    package init(accessed: Int64, modified: Int64, modifiedNanoseconds: Int = 0) {
        self.accessed = accessed
        self.modified = modified
        self.modifiedNanoseconds = modifiedNanoseconds
    }

    /// Whether the times of modification are equal as far as both are known.
    package func hasSameModification(as other: FileTimes) -> Bool {
        guard modified == other.modified else { return false }
        return modifiedNanoseconds == 0 || other.modifiedNanoseconds == 0
            || modifiedNanoseconds == other.modifiedNanoseconds
    }
}

/// Changes to the attributes of a file; nil leaves an attribute as it is.
package struct FileAttributeChanges: Hashable, Sendable {
    /// The low twelve bits of the mode.
    package var mode: UInt16?
    package var times: FileTimes?
    package var owner: FileOwner?

    package init(mode: UInt16? = nil, times: FileTimes? = nil, owner: FileOwner? = nil) {
        self.mode = mode
        self.times = times
        self.owner = owner
    }

    package var isEmpty: Bool {
        mode == nil && times == nil && owner == nil
    }
}
