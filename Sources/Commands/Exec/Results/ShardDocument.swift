/// The first line of a part's JSON output, which allows a merge to detect missing parts.
struct ShardDocument: Encodable {
    let shard: Int
    let shards: Int
    let targets: Int

    init(_ shard: Int, of shards: Int, targets: Int) {
        self.shard = shard
        self.shards = shards
        self.targets = targets
    }
}

extension ShardDocument: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case shard, shards, targets
    }

    static let documentName = "part of a run"
    static let documentSummary = "the part of the targets on which the command runs"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .shard: JSONField(\Self.shard, "number of the part, starting at 1")
        case .shards: JSONField(\Self.shards, "number of parts")
        case .targets: JSONField(\Self.targets, "number of targets in the part")
        }
    }
}
