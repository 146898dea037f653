import Core

/// The keys or profiles that a command has removed, as JSON.
struct RemovedDocument {
    let removed: [String]
}

extension RemovedDocument: JSONDocument {
    static let documentName = "removal"
    static let documentSummary = "keys or profiles that were removed"

    static let fields: JSONTable<Self> = [
        .field("removed", \.removed, "names of the keys or profiles")
    ]
}
