import Core

/// A request of SFTP version 3, the version that OpenSSH supports (draft-ietf-secsh-filexfer-02, §4 and §6).
enum SFTPRequest {
    case open(ByteString, SFTPOpenFlags, mode: UInt16?)
    case close(SFTPHandle)
    case read(SFTPHandle, offset: UInt64, length: UInt32)
    case write(SFTPHandle, offset: UInt64, bytes: [UInt8])
    case attributes(ByteString, followsLinks: Bool)
    case openFileAttributes(SFTPHandle)
    case change(ByteString, FileAttributeChanges)
    case changeOpenFile(SFTPHandle, FileAttributeChanges)
    case openDirectory(ByteString)
    case readDirectory(SFTPHandle)
    case remove(ByteString)
    case makeDirectory(ByteString, mode: UInt16)
    case absolutePath(ByteString)
    case rename(ByteString, to: ByteString)
    case linkTarget(ByteString)
    /// Creates the link `first` to `second` (§6.10), or, on most servers, the link `second` to `first`.
    case makeLink(first: ByteString, second: ByteString)
    /// `posix-rename@openssh.com`, which replaces an existing file (PROTOCOL of openssh-portable, §4.3).
    case replace(ByteString, with: ByteString)

    /// The packet of a request: its length, type, ID and fields.
    func packet(id: UInt32) -> [UInt8] {
        // The length and the type are known only after the fields, which can be large.
        var packet: [UInt8] = [0, 0, 0, 0, 0]
        packet.appendUInt32(id)
        packet[4] = encode(into: &packet)
        let length = UInt32(packet.count - 4)
        for index in 0..<4 { packet[index] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * index)) }
        return packet
    }

    /// The packet that opens a conversation, SSH_FXP_INIT (§4).
    static let initialization: [UInt8] = [0, 0, 0, 5, 1, 0, 0, 0, 3]

    /// Appends the fields, and returns the type of the packet (§3).
    private func encode(into fields: inout [UInt8]) -> UInt8 {
        switch self {
        case .open(let path, let flags, let mode):
            fields.appendString(path.bytes)
            fields.appendUInt32(flags.rawValue)
            fields.append(FileAttributeChanges(mode: mode))
            return 3
        case .close(let handle): return Self.encode(handle, 4, into: &fields)
        case .read(let handle, let offset, let length):
            fields.appendString(handle.bytes)
            fields.appendBigEndian(offset)
            fields.appendUInt32(length)
            return 5
        case .write(let handle, let offset, let bytes):
            fields.reserveCapacity(fields.count + bytes.count + handle.bytes.count + 16)
            fields.appendString(handle.bytes)
            fields.appendBigEndian(offset)
            fields.appendString(bytes)
            return 6
        case .attributes(let path, let followsLinks): return Self.encode(path, followsLinks ? 17 : 7, into: &fields)
        case .openFileAttributes(let handle): return Self.encode(handle, 8, into: &fields)
        case .change(let path, let changes):
            fields.appendString(path.bytes)
            fields.append(changes)
            return 9
        case .changeOpenFile(let handle, let changes):
            fields.appendString(handle.bytes)
            fields.append(changes)
            return 10
        case .openDirectory(let path): return Self.encode(path, 11, into: &fields)
        case .readDirectory(let handle): return Self.encode(handle, 12, into: &fields)
        case .remove(let path): return Self.encode(path, 13, into: &fields)
        case .makeDirectory(let path, let mode):
            fields.appendString(path.bytes)
            fields.append(FileAttributeChanges(mode: mode))
            return 14
        case .absolutePath(let path): return Self.encode(path, 16, into: &fields)
        case .rename(let path, let newPath):
            fields.appendString(path.bytes)
            fields.appendString(newPath.bytes)
            return 18
        case .linkTarget(let path): return Self.encode(path, 19, into: &fields)
        case .makeLink(let first, let second):
            fields.appendString(first.bytes)
            fields.appendString(second.bytes)
            return 20
        case .replace(let path, let newPath):
            fields.appendString(SFTPExtension.replace.rawValue.utf8)
            fields.appendString(path.bytes)
            fields.appendString(newPath.bytes)
            return 200
        }
    }

    private static func encode(_ string: ByteString, _ type: UInt8, into fields: inout [UInt8]) -> UInt8 {
        fields.appendString(string.bytes)
        return type
    }

    private static func encode(_ handle: SFTPHandle, _ type: UInt8, into fields: inout [UInt8]) -> UInt8 {
        fields.appendString(handle.bytes)
        return type
    }
}

/// The identifier of an open file or directory, chosen by the server.
struct SFTPHandle: Hashable, Sendable {
    /// At most 256 bytes (§6.2).
    let bytes: [UInt8]
    /// Distinguishes the uses of the same bytes for different files.
    var serial: UInt64 = 0
}

/// How to open a file (§6.3).
struct SFTPOpenFlags: OptionSet {
    let rawValue: UInt32

    static let read = Self(rawValue: 0x01)
    static let write = Self(rawValue: 0x02)
    static let create = Self(rawValue: 0x08)
    static let truncate = Self(rawValue: 0x10)
    /// Fails if the file exists.
    static let exclusive = Self(rawValue: 0x20)
}

/// The extensions that vt uses, under the names that servers announce.
enum SFTPExtension: String {
    /// Renames a file and replaces an existing one (PROTOCOL of openssh-portable, §4.3).
    case replace = "posix-rename@openssh.com"
    /// Reports the limits of the server, which accepts packets of 256 KiB (PROTOCOL of openssh-portable, §4.8).
    case limits = "limits@openssh.com"
}
