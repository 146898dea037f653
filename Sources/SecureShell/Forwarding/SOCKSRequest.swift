import Core

/// The request of a SOCKS client, up to the point where data follows: version 4, 4a, or 5 (RFC 1928) without
/// authentication.
///
/// Only connections are supported. Names are passed on unresolved.
struct SOCKSRequest {
    /// What to do next.
    enum Step: Equatable {
        /// Wait for more bytes.
        case needsBytes
        /// Send these bytes, and continue.
        case answer([UInt8])
        /// Connect to this address, and answer with `reply`.
        case connect(Endpoint)
        /// Send these bytes, if any, and close the connection.
        case refuse([UInt8], reason: String)
    }

    /// Received bytes that have not been used; after `connect`, they are data.
    private(set) var bytes: [UInt8] = []
    private var version: UInt8?
    /// Whether the authentication method has been negotiated (RFC 1928 §3).
    private var hasMethod = false

    /// The maximum length of a request; the longest valid one is of version 4a, with a user name and a host name.
    private static let limitBytes = 1024

    mutating func receive(_ more: some Sequence<UInt8>) {
        bytes += more
    }

    mutating func next() -> Step {
        guard let version = version ?? bytes.first else { return .needsBytes }
        self.version = version
        var reader = WireReader(bytes[...])
        let step: Step?
        switch version {
        case 4: step = version4(&reader)
        case 5: step = hasMethod ? version5(&reader) : method(&reader)
        default: return .refuse([], reason: "the client does not use SOCKS")
        }
        guard let step else {
            return bytes.count > Self.limitBytes ? .refuse([], reason: "the SOCKS request is too long") : .needsBytes
        }
        bytes = Array(reader.remainder())
        return step
    }

    /// The answer to a request, once it is known whether the connection could be made.
    func reply(isConnected: Bool) -> [UInt8] {
        version == 4 ? Self.reply4(isConnected) : Self.reply5(isConnected ? .succeeded : .failed)
    }

    // MARK: - Version 4

    private func version4(_ reader: inout WireReader) -> Step? {
        guard reader.byte() != nil, let command = reader.byte(), let port = reader.uint16(),
            let address = reader.bytes(4).map(Array.init), Self.text(&reader) != nil
        else { return nil }
        var host = Self.ipv4(address)
        // Version 4a: an address of the form 0.0.0.x means that the name follows.
        if address[..<3] == [0, 0, 0], address[3] != 0 {
            guard let name = Self.text(&reader) else { return nil }
            host = String(decoding: name, as: UTF8.self)
        }
        guard command == 1 else { return .refuse(Self.reply4(false), reason: Self.unsupported(command)) }
        return Self.connection(host, port, Self.reply4(false))
    }

    /// The bytes up to a NUL, which is skipped; nil if there is none.
    private static func text(_ reader: inout WireReader) -> [UInt8]? {
        var text: [UInt8] = []
        while let byte = reader.byte() {
            if byte == 0 { return text }
            text.append(byte)
        }
        return nil
    }

    private static func reply4(_ isGranted: Bool) -> [UInt8] {
        [0, isGranted ? 90 : 91, 0, 0, 0, 0, 0, 0]
    }

    // MARK: - Version 5

    /// The results of a request (RFC 1928 §6).
    private enum Result: UInt8 {
        case succeeded = 0
        case failed = 1
        case commandNotSupported = 7
        case addressTypeNotSupported = 8
    }

    private mutating func method(_ reader: inout WireReader) -> Step? {
        guard reader.byte() != nil, let count = reader.byte(), let methods = reader.bytes(Int(count)) else {
            return nil
        }
        guard methods.contains(0) else { return .refuse([5, 0xff], reason: "the client requires authentication") }
        hasMethod = true
        return .answer([5, 0])
    }

    private func version5(_ reader: inout WireReader) -> Step? {
        guard let version = reader.byte(), let command = reader.byte(), reader.byte() != nil,
            let type = reader.byte()
        else { return nil }
        guard version == 5 else { return .refuse([], reason: "the SOCKS request is malformed") }
        guard command == 1 else {
            return .refuse(Self.reply5(.commandNotSupported), reason: Self.unsupported(command))
        }
        let host: String
        switch type {
        case 1:
            guard let address = reader.bytes(4) else { return nil }
            host = Self.ipv4(Array(address))
        case 3:
            guard let count = reader.byte(), let name = reader.bytes(Int(count)) else { return nil }
            host = String(decoding: name, as: UTF8.self)
        case 4:
            guard let address = reader.bytes(16) else { return nil }
            host = Self.ipv6(Array(address))
        default:
            return .refuse(Self.reply5(.addressTypeNotSupported), reason: "address type \(type) is not supported")
        }
        guard let port = reader.uint16() else { return nil }
        return Self.connection(host, port, Self.reply5(.failed))
    }

    private static func reply5(_ result: Result) -> [UInt8] {
        [5, result.rawValue, 0, 1, 0, 0, 0, 0, 0, 0]
    }

    // MARK: - Addresses

    private static func connection(_ host: String, _ port: UInt16, _ refusal: [UInt8]) -> Step {
        guard Destination.isHost(host), port > 0 else {
            return .refuse(refusal, reason: "the address in the SOCKS request is invalid")
        }
        return .connect(Endpoint(host: host, port: port))
    }

    private static func unsupported(_ command: UInt8) -> String {
        "SOCKS command \(command) is not supported"
    }

    private static func ipv4(_ bytes: [UInt8]) -> String {
        bytes.map { String($0) }.joined(separator: ".")
    }

    private static func ipv6(_ bytes: [UInt8]) -> String {
        stride(from: 0, to: 16, by: 2)
            .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":")
    }
}
