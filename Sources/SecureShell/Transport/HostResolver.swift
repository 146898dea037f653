import Core
import Glibc
import NIOCore
import Runtime
import System

/// Resolves host names with the services listed in nsswitch.conf(5).
///
/// If these are only /etc/hosts and DNS, this process calls the C library; otherwise, it runs getent(1), because vt
/// does not load the C library's NSS modules (see `Getent`). Without getent, only /etc/hosts and DNS are used.
struct HostResolver: Sendable {
    private let services: HostServices
    private let getent: Getent

    init(services: HostServices = HostServices(), getent: Getent = Getent()) {
        self.services = services
        self.getent = getent
    }

    /// Returns at least one address, with the port, in the order of RFC 6724.
    ///
    /// With a family, only addresses of that family are returned. A canceled task does not wait for the lookup.
    ///
    /// - Throws: `host.unresolved`; `system` when no process or thread can be started; `VTError.cancelled`.
    func addresses(of endpoint: Endpoint, family: AddressFamily? = nil) async throws(VTError) -> [SocketAddress] {
        if let literal = AddressLookup.literal(endpoint.host, port: endpoint.port) {
            guard literal.fits(family) else {
                let name = family == .ipv4 ? "IPv4" : "IPv6"
                throw VTError(.hostUnresolved, "'\(endpoint.host)' is not an \(name) address")
            }
            return [literal]
        }
        if endpoint.host.lowercased() == "localhost" { return try await loopback(endpoint, family) }
        guard !services.areBuiltIn else { return try await builtIn(endpoint, family) }
        switch try await getent.lookUp(Self.database(family), endpoint.host) {
        case .found(let output):
            let addresses = Self.addresses(in: output, port: endpoint.port).filter { $0.fits(family) }
            guard !addresses.isEmpty else { throw Self.failure(endpoint, AddressLookup.Failure(code: EAI_NONAME)) }
            return addresses
        case .notFound: throw Self.failure(endpoint, AddressLookup.Failure(code: EAI_NONAME))
        case .unavailable:
            HostServices.useBuiltInServices()
            return try await builtIn(endpoint, family)
        }
    }

    /// Looks up a name in /etc/hosts and DNS, on its own thread, because getaddrinfo(3) can be neither polled nor
    /// interrupted.
    private func builtIn(_ endpoint: Endpoint, _ family: AddressFamily?) async throws(VTError) -> [SocketAddress] {
        try await onAbandonableThread { () throws(VTError) in
            do throws(AddressLookup.Failure) {
                return try AddressLookup.resolve(endpoint, family)
            } catch {
                throw Self.failure(endpoint, error)
            }
        }
    }

    /// Returns the addresses of localhost, which needs neither /etc/hosts nor a name server (RFC 6761 §6.3).
    private func loopback(_ endpoint: Endpoint, _ family: AddressFamily?) async throws(VTError) -> [SocketAddress] {
        if !services.areBuiltIn { HostServices.useBuiltInServices() }
        do throws(VTError) {
            return try await builtIn(endpoint, family)
        } catch {
            guard error.code == .hostUnresolved else { throw error }
            let addresses = ["::1", "127.0.0.1"].compactMap { AddressLookup.literal($0, port: endpoint.port) }
            return addresses.filter { $0.fits(family) }
        }
    }

    private static func database(_ family: AddressFamily?) -> String {
        switch family {
        case nil: "ahosts"
        case .ipv4: "ahostsv4"
        case .ipv6: "ahostsv6"
        }
    }

    /// The address at the start of each line, without duplicates: getent prints a line for each type of socket.
    private static func addresses(in output: [UInt8], port: UInt16) -> [SocketAddress] {
        var addresses: [SocketAddress] = []
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
            let word = line.prefix { $0 != " " && $0 != "\t" }
            // For a name that has only IPv4 addresses, `ahostsv6` prints mapped ones, which cannot be used.
            guard !word.hasPrefix("::ffff:"), let address = AddressLookup.literal(String(word), port: port),
                !addresses.contains(address)
            else { continue }
            addresses.append(address)
        }
        return addresses
    }

    private static func failure(_ endpoint: Endpoint, _ failure: AddressLookup.Failure) -> VTError {
        VTError(.hostUnresolved, "cannot resolve '\(endpoint.host)': \(failure.text)")
    }
}

extension SocketAddress {
    fileprivate func fits(_ family: AddressFamily?) -> Bool {
        switch (self, family) {
        case (_, nil), (.v4, .ipv4), (.v6, .ipv6): true
        default: false
        }
    }
}
