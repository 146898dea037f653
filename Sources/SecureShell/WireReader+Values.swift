import Core

extension WireReader {
    mutating func byteString() -> ByteString? {
        string().map { ByteString($0) }
    }

    mutating func duration() -> Duration? {
        uint64().map { .milliseconds(Int64(clamping: $0)) }
    }

    mutating func endpoint() -> Endpoint? {
        guard let host = text(), let port = uint16() else { return nil }
        return Endpoint(host: host, port: port)
    }

    mutating func lookup() -> HostKeyLookup? {
        guard let userFiles = optional({ $0.list { $0.text() } }),
            let globalFiles = optional({ $0.list { $0.text() } }),
            let additionalFile = optional({ $0.text() }), let alias = optional({ $0.text() }),
            let hashesNames = bool(), let revokedKeys = optional({ $0.text() }), let command = list({ $0.text() }),
            let checksAddress = bool(), let minimumRSABits = optional({ $0.uint32() })
        else { return nil }
        var lookup = HostKeyLookup()
        lookup.userFiles = userFiles
        lookup.globalFiles = globalFiles
        lookup.additionalFile = additionalFile
        lookup.alias = alias
        lookup.hashesNames = hashesNames
        lookup.revokedKeys = revokedKeys
        lookup.command = command
        lookup.checksAddress = checksAddress
        lookup.minimumRSABits = minimumRSABits.map(Int.init)
        return lookup
    }
}

extension [UInt8] {
    mutating func appendDuration(_ duration: Duration) {
        appendBigEndian(UInt64(clamping: duration.wholeMilliseconds))
    }

    mutating func appendEndpoint(_ endpoint: Endpoint) {
        appendText(endpoint.host)
        appendBigEndian(endpoint.port)
    }

    mutating func appendLookup(_ lookup: HostKeyLookup) {
        for files in [lookup.userFiles, lookup.globalFiles] {
            appendOptional(files) { bytes, files in bytes.appendList(files) { $0.appendText($1) } }
        }
        for text in [lookup.additionalFile, lookup.alias] { appendOptional(text) { $0.appendText($1) } }
        appendBool(lookup.hashesNames)
        appendOptional(lookup.revokedKeys) { $0.appendText($1) }
        appendList(lookup.command) { $0.appendText($1) }
        appendBool(lookup.checksAddress)
        appendOptional(lookup.minimumRSABits) { $0.appendUInt32(UInt32(clamping: $1)) }
    }
}
