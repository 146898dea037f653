import Core

/// Decodes Server-Sent Events (HTML Living Standard §9.2.6), whose bytes can be split anywhere.
package struct EventStreamDecoder: Sendable {
    private var line: [UInt8] = []
    private var data: [UInt8]?
    private var name: String?
    /// Whether the last byte was a carriage return, so that a line feed belongs to it.
    private var endsWithReturn = false

    /// The maximum length of an event; the longest output event of a server is some hundred kilobytes.
    private static let limitBytes = 4 << 20

    package init() {}

    /// Returns the data of the events without a name that these bytes complete; other events are skipped.
    ///
    /// - Throws: `protocol` when an event is too long.
    package mutating func decode(_ bytes: some Collection<UInt8>) throws(VTError) -> [[UInt8]] {
        var events: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            if endsWithReturn, rest.first == UInt8(ascii: "\n") { rest = rest.dropFirst() }
            endsWithReturn = false
            let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            line += rest[..<(end ?? rest.endIndex)]
            guard line.count + (data?.count ?? 0) <= Self.limitBytes else {
                throw VTError(.protocolViolation, "an event of the stream is longer than \(Self.limitBytes >> 20) MiB")
            }
            guard let end else { break }
            endsWithReturn = rest[end] == UInt8(ascii: "\r")
            rest = rest[rest.index(after: end)...]
            if let event = endLine() { events.append(event) }
        }
        return events
    }

    /// Returns the data of the event that the line completes.
    private mutating func endLine() -> [UInt8]? {
        defer { line = [] }
        guard !line.isEmpty else {
            defer { (data, name) = (nil, nil) }
            return name == nil ? data : nil
        }
        let field = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(field.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: field, as: UTF8.self) {
        case "data": data = data.map { $0 + [UInt8(ascii: "\n")] + value } ?? Array(value)
        case "event": name = value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
        // A comment, such as a heartbeat, has no name.
        default: break
        }
        return nil
    }
}
