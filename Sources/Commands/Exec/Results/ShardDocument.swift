import Core

/// The first line of a part's JSON output, which allows a merge to detect missing parts.
struct ShardDocument {
    let shard: Int
    let shards: Int
    let targets: Int
}

extension ShardDocument: JSONDocument {
    static let documentName = "part of a run"
    static let documentSummary = "the part of the targets on which the command runs"

    static let fields: JSONTable<Self> = [
        .field("shard", \.shard, "number of the part, starting at 1"),
        .field("shards", \.shards, "number of parts"),
        .field("targets", \.targets, "number of targets in the part"),
    ]
}
