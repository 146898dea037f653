extension HTTPAddress: RawRepresentable, JSONReadable {
    package init?(rawValue: String) {
        guard let address = try? HTTPAddress(parsing: rawValue) else { return nil }
        self = address
    }

    /// The URL without its query.
    package var rawValue: String { description }
}
