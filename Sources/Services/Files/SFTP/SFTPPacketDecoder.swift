import Core

/// Splits the bytes of a conversation into packets (draft-ietf-secsh-filexfer-02 §3).
struct SFTPPacketDecoder {
    private var buffer: [UInt8] = []
    /// The number of bytes at the start of the buffer that have been returned.
    private var start = 0

    /// The maximum length of a packet that vt accepts.
    ///
    /// OpenSSH sends at most 256 KiB (`SFTP_MAX_MSG_LENGTH` in sftp-common.h).
    static let packetLimitBytes = 1 << 20

    struct InvalidLength: Error {
        let bytes: Int
    }

    /// The first line of the bytes that have not been returned; nil unless it consists of printable ASCII characters.
    var line: String? {
        let line = buffer[start...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.prefix(80)
        return !line.isEmpty && line.allSatisfy { (0x20..<0x7f).contains($0) }
            ? String(decoding: line, as: UTF8.self) : nil
    }

    /// The number of bytes that have not been returned.
    var count: Int { buffer.count - start }

    mutating func append(_ bytes: [UInt8]) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        if buffer.isEmpty {
            buffer = bytes
        } else {
            buffer += bytes
        }
    }

    /// Returns the next packet without its length; nil if it is incomplete.
    ///
    /// - Throws: The packet's length, if it is invalid.
    mutating func next() throws(InvalidLength) -> ArraySlice<UInt8>? {
        let rest = buffer[start...]
        guard rest.count >= 4 else { return nil }
        let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard (1...Self.packetLimitBytes).contains(length) else {
            throw InvalidLength(bytes: length)
        }
        guard rest.count >= 4 + length else { return nil }
        start += 4 + length
        return rest.dropFirst(4).prefix(length)
    }
}
