/// Keeps the profiles.
package protocol ProfileStore: Sendable {
    /// All profiles by name. A store that was never written is empty.
    ///
    /// - Throws: `config` when the store cannot be understood or has a newer schema; `io` when it cannot be read.
    func load() throws(VTError) -> [String: Profile]

    /// Changes the profiles as one step that other processes see whole or not at all, and do not run into.
    ///
    /// Nothing is written when `change` throws or leaves the profiles as they were.
    ///
    /// - Throws: what `change` throws; `config`, `io`, `cannot-create`; `busy` when another process holds the lock.
    func update<Result>(
        _ change: (inout [String: Profile]) throws(VTError) -> Result
    ) throws(VTError) -> Result
}
