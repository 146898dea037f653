/// A hash that is the same in every process, on every machine and in every version, unlike that of `Hasher`.
///
/// It does not resist deliberate collisions.
package enum StableHash {
    /// The 64-bit FNV-1a hash (draft-eastlake-fnv).
    @inlinable
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
