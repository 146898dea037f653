import Core

extension Profile {
    /// A minimal profile, modified by `body`.
    package static func named(_ name: String, _ body: (inout Profile) throws -> Void = { _ in }) throws -> Profile {
        var profile = Profile(
            id: "id-\(name)",
            name: try ProfileName(name),
            host: "\(name).example",
            createdAt: Timestamp(seconds: 0)
        )
        try body(&profile)
        return profile
    }
}
