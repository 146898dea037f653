import Core

/// Decodes Server-Sent Events (HTML Living Standard §9.2.6), whose bytes can be split anywhere.
package struct EventStreamDecoder: Sendable {
    /// The start of a line whose end has not arrived.
    private var unfinished: [UInt8] = []
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
    package mutating func decode(_ bytes: [UInt8]) throws(VTError) -> [[UInt8]] {
        var events: [[UInt8]] = []
        var start = endsWithReturn && bytes.first == UInt8(ascii: "\n") ? 1 : 0
        if !bytes.isEmpty { endsWithReturn = false }
        // Carriage returns are rare; the next one is searched for only when it has been passed.
        var carriageReturn = bytes.firstIndex(of: UInt8(ascii: "\r"), in: start..<bytes.count)
        while start < bytes.count {
            let lineFeed = bytes.firstIndex(of: UInt8(ascii: "\n"), in: start..<(carriageReturn ?? bytes.count))
            guard let end = lineFeed ?? carriageReturn else { break }
            if unfinished.isEmpty {
                add(line: bytes[start..<end], to: &events)
            } else {
                let line = unfinished + bytes[start..<end]
                unfinished = []
                add(line: line[...], to: &events)
            }
            try checkLength()
            start = end + 1
            guard lineFeed == nil else { continue }
            endsWithReturn = start == bytes.count
            if start < bytes.count, bytes[start] == UInt8(ascii: "\n") { start += 1 }
            carriageReturn = bytes.firstIndex(of: UInt8(ascii: "\r"), in: start..<bytes.count)
        }
        unfinished += bytes[start...]
        try checkLength()
        return events
    }

    private func checkLength() throws(VTError) {
        guard unfinished.count + (data?.count ?? 0) <= Self.limitBytes else {
            throw VTError(.protocolViolation, "an event of the stream is longer than \(Self.limitBytes >> 20) MiB")
        }
    }

    /// Processes a line, and adds the data of the event that it completes.
    private mutating func add(line: ArraySlice<UInt8>, to events: inout [[UInt8]]) {
        if line.isEmpty {
            if name == nil, let data { events.append(data) }
            (data, name) = (nil, nil)
        } else if let value = Self.value(of: "data", in: line) {
            // A copy of the data for each line would take quadratic time.
            if data == nil { data = Array(value) } else { data? += [UInt8(ascii: "\n")] + value }
        } else if let value = Self.value(of: "event", in: line) {
            name = value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
        }
        // Everything else is skipped, such as a comment that serves as a heartbeat.
    }

    /// The value of a field; nil if the line has another field.
    private static func value(of field: String, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.starts(with: field.utf8) else { return nil }
        let rest = line.dropFirst(field.utf8.count)
        // A line without a colon is a field with an empty value.
        guard rest.first == UInt8(ascii: ":") else { return rest.isEmpty ? rest : nil }
        let value = rest.dropFirst()
        return value.first == UInt8(ascii: " ") ? value.dropFirst() : value
    }
}
