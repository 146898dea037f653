import Core
import Synchronization

/// A secret store in memory; each kind of store has its own secrets.
package final class MemorySecretStore: SecretStore {
    package struct Place: Hashable {
        package var kind: SecretStoreKind
        package var profileID: String
        package var purpose: SecretKey.Purpose
    }

    private let contents = Mutex<[Place: Secret]>([:])
    /// Thrown by `secret`, `store` and `remove`, if set.
    package let failure = Mutex<VTError?>(nil)

    package init() {}

    package var places: Set<Place> { contents.withLock { Set($0.keys) } }

    package func set(_ text: String, _ profile: Profile, _ purpose: SecretKey.Purpose) throws {
        let place = Place(kind: profile.secretStore ?? .secretService, profileID: profile.id, purpose: purpose)
        let secret = try Secret(Array(text.utf8))
        contents.withLock { $0[place] = secret }
    }

    package func text(_ kind: SecretStoreKind, _ id: String, _ purpose: SecretKey.Purpose = .password) -> String? {
        contents.withLock { $0[Place(kind: kind, profileID: id, purpose: purpose)] }
            .map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    package func secret(_ key: SecretKey, in kind: SecretStoreKind) async throws(VTError) -> Secret? {
        try check()
        return contents.withLock { $0[Place(kind: kind, profileID: key.profileID, purpose: key.purpose)] }
    }

    package func store(_ secret: Secret, as key: SecretKey, in kind: SecretStoreKind) async throws(VTError) {
        try check()
        contents.withLock { $0[Place(kind: kind, profileID: key.profileID, purpose: key.purpose)] = secret }
    }

    package func remove(_ key: SecretKey, in kind: SecretStoreKind) async throws(VTError) {
        try check()
        contents.withLock { $0[Place(kind: kind, profileID: key.profileID, purpose: key.purpose)] = nil }
    }

    private func check() throws(VTError) {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
