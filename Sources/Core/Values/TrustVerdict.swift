/// Why a host key is trusted.
package enum TrustVerdict: Hashable, Sendable {
    /// It was known.
    case known
    /// It was new and is stored now.
    case stored
    /// It is the pinned one.
    case pinned
}
