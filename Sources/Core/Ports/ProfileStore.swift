/// Stores the profiles.
package protocol ProfileStore: Sendable {
    /// Returns all profiles by name. A store that has never been written is empty.
    ///
    /// - Throws: `config` when the store is malformed or has a newer schema; `io` when it cannot be read.
    func load() throws(VTError) -> [String: Profile]

    /// Changes the profiles atomically, protected from concurrent changes by other processes.
    ///
    /// Nothing is written if `change` throws or leaves the profiles unchanged.
    ///
    /// - Throws: errors thrown by `change`; `config`, `io`, `cannot-create`; `busy` when another process holds the
    ///   lock.
    func update<Result>(
        _ change: (inout [String: Profile]) throws(VTError) -> Result
    ) throws(VTError) -> Result
}
