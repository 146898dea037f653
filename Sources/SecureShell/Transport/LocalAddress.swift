import Core
import NIOCore

/// The address of this machine from which a connection is made (BindAddress and BindInterface of ssh_config(5)).
struct LocalAddress: Sendable {
    /// The address or interface as given.
    let name: String
    /// The addresses with port 0, at most one for each family if the name is an interface.
    let addresses: [SocketAddress]

    /// Returns nil if the plan leaves the choice to the system.
    ///
    /// - Throws: `usage` for an address that is not a literal; `config` for an interface without addresses.
    init?(_ plan: SSHPlan) throws(VTError) {
        if let address = plan.bindAddress {
            name = address
            guard let literal = AddressLookup.literal(address, port: 0) else {
                throw VTError(.usage, "invalid bind address '\(address)': not an IP address")
            }
            addresses = [literal]
        } else if let interface = plan.bindInterface {
            name = interface
            addresses = try Self.addresses(of: interface)
        } else {
            return nil
        }
    }

    private static func addresses(of interface: String) throws(VTError) -> [SocketAddress] {
        var found: [SocketAddress] = []
        for device in (try? System.enumerateDevices()) ?? [] where device.name == interface {
            guard let address = device.address, let ip = address.ipAddress, !ip.hasPrefix("fe80:"),
                !found.contains(where: { $0.protocol == address.protocol }),
                let literal = AddressLookup.literal(ip, port: 0)
            else { continue }
            found.append(literal)
        }
        guard !found.isEmpty else { throw VTError(.config, "no address on interface '\(interface)'") }
        return found
    }
}
