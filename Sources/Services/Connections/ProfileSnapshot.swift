import Core
import Synchronization

/// The profiles, read once on first use, so that all targets of a command come from the same state of the store.
struct ProfileSnapshot: Sendable {
    private final class Storage: Sendable {
        let loaded = Mutex<[String: Profile]?>(nil)
    }

    private let store: any ProfileStore
    private let storage = Storage()

    init(of store: any ProfileStore) {
        self.store = store
    }

    /// All profiles by name.
    ///
    /// - Throws: Errors from the store; the next call retries.
    func load() throws(VTError) -> [String: Profile] {
        try storage.loaded.withLock { loaded throws(VTError) in
            if let loaded { return loaded }
            let profiles = try store.load()
            loaded = profiles
            return profiles
        }
    }
}
