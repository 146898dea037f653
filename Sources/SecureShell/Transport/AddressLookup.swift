import Core
import Glibc
import NIOCore

/// Calls getaddrinfo(3).
enum AddressLookup {
    /// The error of a failed lookup.
    struct Failure: Error {
        /// An error code of getaddrinfo(3).
        let code: CInt

        /// The text, starting with a lowercase letter, such as `name or service not known`.
        var text: String {
            let text = unsafe gai_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
            return text.prefix(1).lowercased() + text.dropFirst()
        }
    }

    /// Returns the address that a literal denotes, without a lookup; nil for a name.
    ///
    /// Accepts every form that inet_aton(3) does, and IPv6 addresses with a zone (RFC 4007 §11).
    static func literal(_ text: String, port: UInt16) -> SocketAddress? {
        try? perform(Endpoint(host: text, port: port), nil, flags: AI_NUMERICHOST).first
    }

    /// Returns at least one address, in the order of RFC 6724; blocks.
    static func resolve(_ endpoint: Endpoint, _ family: AddressFamily?) throws(Failure) -> [SocketAddress] {
        // On a machine with only loopback addresses, the flag would exclude a family that was requested.
        try perform(endpoint, family, flags: family == nil ? AI_ADDRCONFIG : 0)
    }

    private static func perform(
        _ endpoint: Endpoint,
        _ family: AddressFamily?,
        flags: CInt
    ) throws(Failure) -> [SocketAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = family.map { $0 == .ipv4 ? AF_INET : AF_INET6 } ?? AF_UNSPEC
        unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = flags | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(endpoint.host, String(endpoint.port), &hints, &list)
        guard code == 0 else { throw Failure(code: code) }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let address = unsafe SocketAddress(entry.pointee, host: endpoint.host) { addresses.append(address) }
            unsafe next = entry.pointee.ai_next
        }
        guard !addresses.isEmpty else { throw Failure(code: EAI_NONAME) }
        return addresses
    }
}

extension SocketAddress {
    /// Copies the address from an entry of getaddrinfo(3); nil for families other than IPv4 and IPv6.
    fileprivate init?(_ entry: addrinfo, host: String) {
        guard let address = unsafe entry.ai_addr else { return nil }
        let raw = UnsafeRawPointer(address)
        switch unsafe entry.ai_family {
        case AF_INET: self.init(unsafe raw.loadUnaligned(as: sockaddr_in.self), host: host)
        case AF_INET6: self.init(unsafe raw.loadUnaligned(as: sockaddr_in6.self), host: host)
        default: return nil
        }
    }
}
