/// The connections that are kept open for several commands.
package protocol ConnectionRegistry: Sendable {
    /// Returns the connections, unordered; connections that do not respond are reported as notes.
    ///
    /// - Throws: `io` when the directory of the connections cannot be read.
    func connections() async throws(VTError) -> [SharedConnection]

    /// Closes the selected connections, and returns them; a connection in use closes once its commands have ended.
    ///
    /// - Throws: `io` when the directory of the connections cannot be read.
    @discardableResult
    func close(where isSelected: @escaping @Sendable (SharedConnection) -> Bool) async throws(VTError)
        -> [SharedConnection]
}
