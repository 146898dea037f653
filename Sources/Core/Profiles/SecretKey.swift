/// Identifies one secret.
package struct SecretKey: Hashable, Sendable {
    /// What a secret is used for.
    package enum Purpose: String, Hashable, Sendable, CaseIterable {
        case password
        case passphrase
    }

    /// The `id` of the profile.
    package var profileID: String
    package var purpose: Purpose
    /// The label shown in a keyring's user interface.
    package var label: String

    package init(profileID: String, purpose: Purpose, label: String) {
        self.profileID = profileID
        self.purpose = purpose
        self.label = label
    }
}
