import Core

// The fields of the arguments in calls about snapshots.

extension SnapshotRequest {
    mutating func declare(_ fields: inout CallFields) {
        fields.field("name", &name)
        fields.field("path", &path)
        fields.field("include_ignored", &scope.includesIgnored, default: false)
        fields.field("excludes", &scope.excludes, default: [])
        let usual = SnapshotLimits()
        fields.field("max_file", &limits.fileBytes, default: usual.fileBytes)
        fields.field("max_size", &limits.storeBytes, default: usual.storeBytes)
    }
}

extension RollbackRequest {
    /// The paths, whose names can be any bytes, are data.
    mutating func declare(_ fields: inout CallFields, _ data: inout [UInt8]) {
        fields.field("snapshot", &snapshot)
        fields.field("dry_run", &isDryRun, default: false)
        fields.field("force", &isForced, default: false)
        declarePaths(&paths, &data)
    }
}

extension DiffRequest {
    /// The paths, whose names can be any bytes, are data.
    mutating func declare(_ fields: inout CallFields, _ data: inout [UInt8]) {
        fields.field("from", &from)
        fields.field("to", &to)
        fields.field("turn", &turn)
        fields.field("format", &format, default: .patch)
        fields.field("color", &usesColor, default: false)
        declarePaths(&paths, &data)
    }
}

/// Writes or reads paths, each terminated by NUL; one of both is empty.
private func declarePaths(_ paths: inout [ByteString], _ data: inout [UInt8]) {
    for path in paths { data += path.bytes + [0] }
    paths = data.split(separator: 0).map { ByteString($0) }
}
