import Core

/// The reason why a line is not a valid event.
struct EventFault {
    var message: String
    /// The time at the start of the line, if there is one.
    var time: RecordingTime?

    /// The maximum length of a line that is parsed; parsing takes many times the memory of the line.
    private static let limit = 1 << 20

    init(_ line: [UInt8], hasCode: Bool) {
        time = EventScanner.time(startOf: line.span)
        guard line.count <= Self.limit else {
            message = "not a valid event"
            return
        }
        do throws(JSONSyntaxError) {
            message = Self.message(try JSONOutlineParser.parse(line), line, hasCode)
        } catch {
            // The message can contain a name from the file, which can be as long as the line.
            message = String(error.message.prefix(200))
        }
    }

    private static func message(_ outline: JSONOutline, _ line: [UInt8], _ hasCode: Bool) -> String {
        guard let elements = outline.elements else { return "an event must be an array" }
        let count = hasCode ? 3 : 2
        guard elements.count == count else {
            return "an event must have \(count) elements, not \(elements.count)"
        }
        guard case .number = elements[0].content else { return "the time is not a number" }
        if line[elements[0].range.lowerBound] == UInt8(ascii: "-") { return "the time is negative" }
        if hasCode, elements[1].kind != "a string" { return "the code is \(elements[1].kind) instead of a string" }
        let data = elements[count - 1]
        if data.kind != "a string" { return "the data is \(data.kind) instead of a string" }
        return "the time is out of range"
    }
}

extension JSONOutline {
    /// The type of the value, for messages.
    var kind: String {
        switch content {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .bool: "a boolean"
        case .null: "null"
        }
    }
}
