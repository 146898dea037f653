import Core

/// Parses messages of the connection protocol; each function returns nil for a message of another type.
enum ChannelMessage {
    private static let openConfirmation: UInt8 = 91
    private static let request: UInt8 = 98
    /// The length of the report of an exit status (RFC 4254 §6.10).
    private static let exitStatusBytes = 25

    /// Returns the number of the channel that SSH_MSG_CHANNEL_OPEN_CONFIRMATION opens (RFC 4254 §5.1).
    static func opened(_ bytes: UnsafeRawBufferPointer) -> UInt32? {
        guard unsafe bytes.first == openConfirmation else { return nil }
        var reader = unsafe WireReader(Array(bytes.dropFirst().prefix(4))[...])
        return reader.uint32()
    }

    /// Returns the number of the channel whose program has exited with a status (RFC 4254 §6.10).
    static func exited(_ bytes: UnsafeRawBufferPointer) -> UInt32? {
        guard unsafe bytes.first == request, bytes.count >= exitStatusBytes else { return nil }
        var reader = unsafe WireReader(Array(bytes.prefix(exitStatusBytes))[1...])
        guard let channel = reader.uint32(), reader.text() == "exit-status", reader.byte() != nil,
            reader.uint32() != nil
        else { return nil }
        return channel
    }
}
