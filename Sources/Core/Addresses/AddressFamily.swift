/// The address family to use for a host.
package enum AddressFamily: Hashable, Sendable {
    case ipv4
    case ipv6
}
