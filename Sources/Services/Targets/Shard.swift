import Core

/// One of several parts into which the targets of a run are divided.
package struct Shard: Hashable, Sendable {
    /// 1 to `count`.
    package let index: Int
    package let count: Int

    /// Nil unless `index` is from 1 to `count`.
    package init?(index: Int, count: Int) {
        guard count >= 1, (1...count).contains(index) else { return nil }
        self.index = index
        self.count = count
    }

    /// Parses `I/N`.
    ///
    /// - Throws: `usage` when the text is malformed, or I is not from 1 to N.
    package init(parsing text: String) throws(VTError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index: Int = NumberText.whole(parts[0]),
            let count: Int = NumberText.whole(parts[1]), let shard = Shard(index: index, count: count)
        else {
            throw VTError(.usage, "invalid part '\(text)'", hint: "use I/N, such as 1/4, or auto")
        }
        self = shard
    }

    package var text: String { "\(index)/\(count)" }

    /// Returns whether the target is in this part.
    ///
    /// Only the target itself and the number of parts matter, not the other targets: adding or removing a target never
    /// moves another target to a different part, so a part can be repeated after the list of targets has changed. The
    /// sizes of the parts therefore differ slightly.
    package func contains(_ target: Target) -> Bool {
        let hash = Self.mixed(StableHash.hash(target.text.utf8))
        return Int(hash.multipliedFullWidth(by: UInt64(count)).high) == index - 1
    }

    /// Distributes each bit of a hash over all bits (the finalizer of MurmurHash3).
    ///
    /// The highest bits of FNV-1a, which select the part, hardly depend on the last bytes, in which numbered targets
    /// differ.
    private static func mixed(_ hash: UInt64) -> UInt64 {
        var hash = hash
        hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return hash ^ hash >> 33
    }
}
