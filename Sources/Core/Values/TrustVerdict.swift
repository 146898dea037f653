/// Why a host key is trusted.
package enum TrustVerdict: Hashable, Sendable {
    /// The key was already known.
    case known
    /// The key was new and has been stored.
    case stored
    /// The key matches the pinned fingerprint.
    case pinned
}
