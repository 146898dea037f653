import Glibc

/// Numeric IP addresses.
package enum NumericAddress {
    /// Returns the usual form of an address, such as `127.0.0.1` for `127.1`; nil for a name.
    ///
    /// Accepts any form that inet_aton(3) or inet_pton(3) accept. The zone of an IPv6 address, as in `fe80::1%eth0`, is
    /// kept.
    package static func canonical(_ text: String) -> String? {
        // inet_aton(3) ignores what follows a blank.
        guard !text.contains(where: \.isWhitespace) else { return nil }
        var ipv4 = in_addr()
        if unsafe inet_aton(text, &ipv4) != 0 { return unsafe Self.text(AF_INET, &ipv4) }
        let address = text.prefix { $0 != "%" }
        var ipv6 = in6_addr()
        guard unsafe inet_pton(AF_INET6, String(address), &ipv6) == 1 else { return nil }
        return unsafe Self.text(AF_INET6, &ipv6).map { $0 + text.dropFirst(address.count) }
    }

    /// `address` points to an `in_addr` or `in6_addr`.
    private static func text(_ family: CInt, _ address: UnsafeRawPointer) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            unsafe inet_ntop(family, address, buffer.baseAddress, socklen_t(buffer.count)).map {
                unsafe String(cString: $0)
            }
        }
    }
}
