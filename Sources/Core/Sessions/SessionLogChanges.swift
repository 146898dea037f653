/// Notifies readers when a session's log changes.
package protocol SessionLogChanges: Sendable {
    /// Waits until something has been written since the last call, or since watching started.
    ///
    /// Returns false once the session's holder has exited and nothing more will be written.
    func next() async throws(VTError) -> Bool
}
