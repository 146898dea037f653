import Core

/// Changes to a profile: a property that is not assigned is left unchanged, and a list replaces the profile's whole
/// list.
///
/// The properties are those of `Profile`; assigning nil changes nothing.
@dynamicMemberLookup
package struct ProfileEdit: Sendable {
    /// Contains the new values of the assigned properties.
    private var values = Profile()
    private var assigned: [Profile.Property] = []
    /// Properties to reset to their defaults before the other changes are applied.
    package var unset: [Profile.Property] = []

    package init() {}

    package subscript<Value>(dynamicMember property: any WritableKeyPath<Profile, Value> & Sendable) -> Value? {
        get { isAssigned(property) ? values[keyPath: property] : nil }
        set {
            guard let newValue else { return }
            values[keyPath: property] = newValue
            assigned.append(property)
        }
    }

    package subscript<Value>(dynamicMember property: any WritableKeyPath<Profile, Value?> & Sendable) -> Value? {
        get { values[keyPath: property] }
        set {
            guard let newValue else { return }
            values[keyPath: property] = newValue
            assigned.append(property)
        }
    }

    /// Applies the edit, except for the rules of `ProfileService.setSecrets`.
    func apply(to profile: inout Profile) {
        let former = profile.transport
        let replaced = Profile.alternatives.filter { $0.contains(where: isAssigned) }.joined()
        for property in unset + replaced { Profile.fields.copy(property, from: Profile(), to: &profile) }
        for property in assigned { Profile.fields.copy(property, from: values, to: &profile) }
        let transport = profile.transport
        // The token of a link, or the password of a server, must not be sent to another kind of server.
        let secret: [Profile.Property] = former.option == transport.option ? [] : [\.password, \.secretStore]
        for property in Profile.inapplicable(to: transport).map(\.property) + secret.filter({ !isAssigned($0) }) {
            Profile.fields.copy(property, from: Profile(), to: &profile)
        }
    }

    /// The first assigned property that does not apply to a transport, as a noun; nil if there is none.
    func inapplicableProperty(to transport: ConnectionPlan.Transport) -> String? {
        Profile.inapplicable(to: transport).first { isAssigned($0.property) }?.noun
    }

    private func isAssigned(_ property: Profile.Property) -> Bool {
        assigned.contains { $0 == property }
    }
}
