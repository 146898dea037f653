/// Tells whoever reads a session's timeline that there may be more.
package protocol SessionLogChanges: Sendable {
    /// Waits until something was written since the last call, or since the changes were asked for.
    ///
    /// Returns false once the session's holder has gone, so that nothing more is written.
    func next() async throws(VTError) -> Bool
}
