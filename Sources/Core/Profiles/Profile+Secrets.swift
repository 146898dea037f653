extension Profile {
    /// The key under which a store keeps one of the profile's secrets.
    package func secretKey(_ purpose: SecretKey.Purpose) -> SecretKey {
        SecretKey(profileID: id, purpose: purpose, label: "vt: \(purpose.rawValue) of \(name)")
    }

    /// The key under which a store keeps the token of a login to a VibeTunnel server.
    package var loginKey: SecretKey {
        SecretKey(profileID: "\(id).login", purpose: .password, label: "vt: login of \(name)")
    }

    /// The store that keeps this token.
    package var loginStore: SecretStoreKind { secretStore ?? .file }

    /// The source of one of the profile's secrets.
    package func source(of purpose: SecretKey.Purpose) -> SecretSource {
        switch purpose {
        case .password: password
        case .passphrase: passphrase
        }
    }

    package mutating func setSource(of purpose: SecretKey.Purpose, _ source: SecretSource) {
        switch purpose {
        case .password: password = source
        case .passphrase: passphrase = source
        }
    }
}
