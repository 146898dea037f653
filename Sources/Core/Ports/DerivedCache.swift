/// Keeps what can be made again, so that it need not be.
package protocol DerivedCache: Sendable {
    /// What was kept under a name; nil where there is nothing, or it cannot be read.
    func contents(_ name: String) -> [UInt8]?

    /// Keeps bytes under a name of letters and digits; what was not used for long may go for it.
    func keep(_ contents: [UInt8], as name: String) throws(VTError)
}
