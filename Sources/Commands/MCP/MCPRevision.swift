/// The revisions of the Model Context Protocol that the server knows.
enum MCPRevision {
    /// Without a handshake: each request names its revision.
    static let modern = ["2026-07-28"]
    /// With the handshake `initialize`, newest first.
    static let legacy = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
}
