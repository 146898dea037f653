import Core
import Glibc
import NIOCore
import POSIX

/// Resolves host names.
enum HostResolver {
    /// Returns at least one address, with the port, in the order of RFC 6724.
    ///
    /// The lookup runs on a dedicated thread, because getaddrinfo(3) can be neither polled nor interrupted; a canceled
    /// task does not wait for it. Address literals are handled without a thread.
    ///
    /// With a family, only addresses of that family are returned.
    ///
    /// - Throws: `host.unresolved`.
    static func addresses(
        of endpoint: Endpoint,
        family: AddressFamily? = nil
    ) async throws(VTError) -> [SocketAddress] {
        if let literal = try? SocketAddress(ipAddress: endpoint.host, port: Int(endpoint.port)) {
            guard literal.fits(family) else {
                let name = family == .ipv4 ? "IPv4" : "IPv6"
                throw VTError(.hostUnresolved, "'\(endpoint.host)' is not an \(name) address")
            }
            return [literal]
        }
        let monitor = Monitor<Lookup?>(nil)
        try startThread {
            let result = lookUp(endpoint, family)
            monitor.update { $0 = result }
        }
        switch try await monitor.wait({ $0 }) {
        case .found(let addresses): return addresses
        case .failed(let code):
            let text = unsafe gai_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
            throw VTError(
                .hostUnresolved,
                "cannot resolve '\(endpoint.host)': \(text.prefix(1).lowercased() + text.dropFirst())"
            )
        }
    }

    private enum Lookup: Sendable {
        case found([SocketAddress])
        /// An error code of getaddrinfo(3).
        case failed(CInt)
    }

    private static func lookUp(_ endpoint: Endpoint, _ family: AddressFamily?) -> Lookup {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = family.map { $0 == .ipv4 ? AF_INET : AF_INET6 } ?? AF_UNSPEC
        unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        // On a machine with only loopback addresses, the flag would exclude a family that was requested.
        unsafe hints.ai_flags = family == nil ? AI_ADDRCONFIG : 0
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(endpoint.host, String(endpoint.port), &hints, &list)
        guard code == 0 else { return .failed(code) }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let address = unsafe SocketAddress(entry.pointee, host: endpoint.host) { addresses.append(address) }
            unsafe next = entry.pointee.ai_next
        }
        return addresses.isEmpty ? .failed(EAI_NONAME) : .found(addresses)
    }
}

extension SocketAddress {
    fileprivate func fits(_ family: AddressFamily?) -> Bool {
        switch (self, family) {
        case (_, nil), (.v4, .ipv4), (.v6, .ipv6): true
        default: false
        }
    }

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
