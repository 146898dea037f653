import Core

extension WireReader {
    mutating func bool() -> Bool? {
        byte().map { $0 != 0 }
    }

    /// A value preceded by a byte that indicates whether it is present; the outer nil means malformed data.
    mutating func optional<Value>(_ value: (inout WireReader) -> Value?) -> Value?? {
        guard let isPresent = bool() else { return nil }
        guard isPresent else { return .some(nil) }
        return value(&self).map { .some($0) }
    }

    /// A list: the number of elements and the elements.
    mutating func list<Element>(_ element: (inout WireReader) -> Element?) -> [Element]? {
        guard let count = uint32() else { return nil }
        var elements: [Element] = []
        for _ in 0..<count {
            guard let next = element(&self) else { return nil }
            elements.append(next)
        }
        return elements
    }

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
            let additionalFile = optional({ $0.text() }), let alias = optional({ $0.text() }), let hashesNames = bool()
        else { return nil }
        var lookup = HostKeyLookup()
        lookup.userFiles = userFiles
        lookup.globalFiles = globalFiles
        lookup.additionalFile = additionalFile
        lookup.alias = alias
        lookup.hashesNames = hashesNames
        return lookup
    }
}

extension [UInt8] {
    mutating func appendText(_ text: String) {
        appendString(text.utf8)
    }

    mutating func appendBool(_ value: Bool) {
        append(value ? 1 : 0)
    }

    mutating func appendOptional<Value>(_ value: Value?, _ append: (inout [UInt8], Value) -> Void) {
        appendBool(value != nil)
        if let value { append(&self, value) }
    }

    mutating func appendList<Value>(_ elements: [Value], _ append: (inout [UInt8], Value) -> Void) {
        appendUInt32(UInt32(elements.count))
        for element in elements { append(&self, element) }
    }

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
    }
}
