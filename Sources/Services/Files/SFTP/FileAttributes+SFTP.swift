import Core

/// The flags that precede attributes, and indicate which attributes follow (draft-ietf-secsh-filexfer-02 §5).
private enum AttributeFlags {
    static let size: UInt32 = 0x1
    static let owner: UInt32 = 0x2
    static let permissions: UInt32 = 0x4
    static let times: UInt32 = 0x8
    static let extended: UInt32 = 0x8000_0000
}

extension [UInt8] {
    /// Appends the changes, encoded as ATTRS.
    mutating func append(_ changes: FileAttributeChanges) {
        var flags: UInt32 = 0
        if changes.owner != nil { flags |= AttributeFlags.owner }
        if changes.mode != nil { flags |= AttributeFlags.permissions }
        if changes.times != nil { flags |= AttributeFlags.times }
        appendUInt32(flags)
        if let owner = changes.owner {
            appendUInt32(owner.userID)
            appendUInt32(owner.groupID)
        }
        if let mode = changes.mode { appendUInt32(UInt32(mode)) }
        if let times = changes.times {
            // Version 3 has unsigned 32-bit times, which end in the year 2106.
            appendUInt32(UInt32(clamping: times.accessed))
            appendUInt32(UInt32(clamping: times.modified))
        }
    }
}

extension WireReader {
    /// Reads ATTRS; nil if they are malformed.
    mutating func attributes() -> FileAttributes? {
        guard let flags = uint32() else { return nil }
        var attributes = FileAttributes(kind: .other)
        if flags & AttributeFlags.size != 0 {
            guard let size = uint64() else { return nil }
            attributes.sizeBytes = size
        }
        if flags & AttributeFlags.owner != 0 {
            guard let userID = uint32(), let groupID = uint32() else { return nil }
            attributes.owner = FileOwner(userID: userID, groupID: groupID)
        }
        if flags & AttributeFlags.permissions != 0 {
            guard let permissions = uint32() else { return nil }
            attributes.kind = FileAttributes.Kind(mode: permissions)
            attributes.mode = UInt16(permissions & 0o7777)
        }
        if flags & AttributeFlags.times != 0 {
            guard let accessed = uint32(), let modified = uint32() else { return nil }
            attributes.times = FileTimes(accessed: Int64(accessed), modified: Int64(modified))
        }
        if flags & AttributeFlags.extended != 0 {
            guard let count = uint32() else { return nil }
            // Each pair takes at least eight bytes, so an absurd count fails at the end of the packet.
            for _ in 0..<count {
                guard string() != nil, string() != nil else { return nil }
            }
        }
        return attributes
    }
}
