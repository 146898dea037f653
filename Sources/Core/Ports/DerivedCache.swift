/// A cache of data that can be recomputed.
package protocol DerivedCache: Sendable {
    /// The data stored under a name; nil if there is none or it cannot be read.
    func contents(_ name: String) -> [UInt8]?

    /// Stores bytes under a name of letters and digits; may evict the least recently used data.
    func keep(_ contents: [UInt8], as name: String) throws(VTError)
}
