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
    /// - Throws: `protocol` if the packet's length is invalid.
    mutating func next() throws(VTError) -> ArraySlice<UInt8>? {
        let rest = buffer[start...]
        guard rest.count >= 4 else { return nil }
        let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard (1...Self.packetLimitBytes).contains(length) else {
            throw VTError(.protocolViolation, "the server sent an SFTP packet of \(length) bytes")
        }
        guard rest.count >= 4 + length else { return nil }
        start += 4 + length
        return rest.dropFirst(4).prefix(length)
    }
}
