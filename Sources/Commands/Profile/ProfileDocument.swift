import Core

/// A profile as JSON.
struct ProfileDocument {
    let profile: Profile
}

extension ProfileDocument: JSONDocument {
    static let documentName = Profile.documentName
    static let documentSummary = Profile.documentSummary

    /// Without SSH, the values of these are those of every new profile.
    private static let destination: [Profile.Property] = [\.host, \.port]

    static let fields = JSONTable<Self>(
        Profile.fields.fields.map { field in
            guard destination.contains(where: { $0 == field.property }) else { return field.nested(in: \.profile) }
            return field.nested(in: \.profile, if: { $0.profile.transport == .ssh })
        }
    )
}
