/// The addresses of a host that may be used.
package enum AddressFamily: Hashable, Sendable {
    case ipv4
    case ipv6
}
