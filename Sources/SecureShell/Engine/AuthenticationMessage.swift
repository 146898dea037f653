import Core

/// Parses messages of the authentication protocol; each function returns nil for a message of another type.
enum AuthenticationMessage {
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
}
