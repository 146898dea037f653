import Core

/// What a server answers to a method that it does not accept, or that is not enough (RFC 4252 §5.1).
struct AuthenticationRefusal: Equatable {
    /// The methods that can go on.
    var methods: [String]
    /// Whether the method was accepted and a further one is wanted.
    var isPartialSuccess: Bool
}

/// Reads messages of the authentication protocol; bytes that are no such message give nil.
enum AuthenticationMessage {
    private static let failure: UInt8 = 51
    private static let banner: UInt8 = 53
    private static let informationRequest: UInt8 = 60

    /// Reads SSH_MSG_USERAUTH_FAILURE; padding may follow it.
    static func refusal(_ bytes: UnsafeRawBufferPointer) -> AuthenticationRefusal? {
        guard unsafe bytes.first == failure else { return nil }
        var reader = unsafe WireReader(Array(bytes)[1...])
        guard let list = reader.string(), list.allSatisfy({ (0x21...0x7e).contains($0) }),
            let isPartial = reader.byte(), isPartial <= 1
        else { return nil }
        let methods = String(decoding: list, as: UTF8.self).split(separator: ",").map(String.init)
        return AuthenticationRefusal(methods: methods, isPartialSuccess: isPartial == 1)
    }

    /// The length that SSH_MSG_USERAUTH_INFO_REQUEST gives for its name, whether it holds that many bytes or not.
    static func questionNameLength(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= 5, unsafe bytes[0] == informationRequest else { return nil }
        return (1...4).reduce(0) { unsafe $0 << 8 | Int(bytes[$1]) }
    }

    /// Reads the text of SSH_MSG_USERAUTH_BANNER; padding may follow it.
    static func banner(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard unsafe bytes.first == banner else { return nil }
        var reader = unsafe WireReader(Array(bytes)[1...])
        guard let text = reader.string(), reader.string() != nil else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
