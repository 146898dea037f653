import Core

/// Parses messages whose contents libssh2 does not expose.
///
/// The functions for packets return nil for one of another type.
enum SSHMessage {
    /// A server's response when a method fails or is not sufficient (RFC 4252 §5.1).
    struct Refusal: Equatable {
        /// The methods with which authentication can continue.
        var methods: [String]
        /// Whether the method was accepted and another one is required.
        var isPartialSuccess: Bool
    }

    private static let failure: UInt8 = 51
    private static let banner: UInt8 = 53
    private static let informationRequest: UInt8 = 60
    private static let openConfirmation: UInt8 = 91
    private static let channelRequest: UInt8 = 98
    /// The length of the report of an exit status (RFC 4254 §6.10).
    private static let exitStatusBytes = 25

    // MARK: - Authentication

    /// Parses SSH_MSG_USERAUTH_FAILURE, possibly followed by padding.
    static func refusal(_ bytes: UnsafeRawBufferPointer) -> Refusal? {
        guard unsafe bytes.first == failure else { return nil }
        var reader = unsafe WireReader(Array(bytes)[1...])
        guard let list = reader.string(), list.allSatisfy({ (0x21...0x7e).contains($0) }),
            let isPartial = reader.byte(), isPartial <= 1
        else { return nil }
        let methods = String(decoding: list, as: UTF8.self).split(separator: ",").map(String.init)
        return Refusal(methods: methods, isPartialSuccess: isPartial == 1)
    }

    /// Returns the length of the name in SSH_MSG_USERAUTH_INFO_REQUEST, even if the name is longer than the message.
    static func questionNameLength(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= 5, unsafe bytes[0] == informationRequest else { return nil }
        return (1...4).reduce(0) { unsafe $0 << 8 | Int(bytes[$1]) }
    }

    /// Parses the text of SSH_MSG_USERAUTH_BANNER, possibly followed by padding.
    static func banner(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard unsafe bytes.first == banner else { return nil }
        var reader = unsafe WireReader(Array(bytes)[1...])
        guard let text = reader.string(), reader.string() != nil else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns whether the key with which a user has logged in is for one command, which the server runs instead of
    /// those that are requested; nil for a message about something else.
    ///
    /// OpenSSH 7.7 and later report the options of the key in a message for debugging (RFC 4253 §11.3,
    /// auth_log_authopts in auth.c).
    static func forcesCommand(_ debugMessage: String) -> Bool? {
        guard let label = debugMessage.ranges(of: ": key options:").last else { return nil }
        return debugMessage[label.upperBound...].split(separator: " ").contains("command")
    }

    // MARK: - Channels

    /// Returns the number of the channel that SSH_MSG_CHANNEL_OPEN_CONFIRMATION opens (RFC 4254 §5.1).
    static func openedChannel(_ bytes: UnsafeRawBufferPointer) -> UInt32? {
        guard unsafe bytes.first == openConfirmation else { return nil }
        var reader = unsafe WireReader(Array(bytes.dropFirst().prefix(4))[...])
        return reader.uint32()
    }

    /// Returns the number of the channel whose program has exited with a status (RFC 4254 §6.10).
    static func exitedChannel(_ bytes: UnsafeRawBufferPointer) -> UInt32? {
        guard unsafe bytes.first == channelRequest, bytes.count >= exitStatusBytes else { return nil }
        var reader = unsafe WireReader(Array(bytes.prefix(exitStatusBytes))[1...])
        guard let channel = reader.uint32(), reader.text() == "exit-status", reader.byte() != nil,
            reader.uint32() != nil
        else { return nil }
        return channel
    }
}
