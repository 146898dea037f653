import Glibc

/// Numeric IP addresses.
package enum NumericAddress {
    /// Returns the usual form of an address in any form that inet_aton(3) or inet_pton(3) accept, such as `127.0.0.1`
    /// for `127.1`; nil for a name.
    ///
    /// The corresponding C functions are `getaddrinfo` and `getnameinfo`.
    package static func canonical(_ text: String) -> String? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST
        unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(text, nil, &hints, &list) == 0 else { return nil }
        defer { unsafe freeaddrinfo(list) }
        guard let entry = unsafe list?.pointee else { return nil }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
            let size = socklen_t(buffer.count)
            guard let start = buffer.baseAddress,
                unsafe getnameinfo(entry.ai_addr, entry.ai_addrlen, start, size, nil, 0, NI_NUMERICHOST) == 0
            else { return nil }
            return unsafe String(cString: start)
        }
    }
}
