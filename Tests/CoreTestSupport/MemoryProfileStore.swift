import Core
import Synchronization

/// Profiles in memory; a change that throws has no effect, as in the real store.
package final class MemoryProfileStore: ProfileStore {
    private let profiles: Mutex<[String: Profile]>
    /// Thrown by all updates, if set.
    package let failure = Mutex<VTError?>(nil)
    /// The number of times the profiles were loaded.
    package let loads = Atomic(0)

    package init(_ profiles: Profile...) {
        self.profiles = Mutex(Dictionary(uniqueKeysWithValues: profiles.map { ($0.name, $0) }))
    }

    package var names: [String] { profiles.withLock { $0.keys.sorted() } }

    package subscript(name: String) -> Profile? {
        profiles.withLock { $0[name] }
    }

    package func load() throws(VTError) -> [String: Profile] {
        loads.add(1, ordering: .relaxed)
        return profiles.withLock { $0 }
    }

    package func update<Result>(_ change: (inout [String: Profile]) throws(VTError) -> Result) throws(VTError) -> Result
    {
        if let failure = failure.withLock({ $0 }) { throw failure }
        var present = profiles.withLock { $0 }
        let result = try change(&present)
        profiles.withLock { $0 = present }
        return result
    }
}
