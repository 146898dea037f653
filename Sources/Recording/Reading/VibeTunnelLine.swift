import Core

/// A line of a session file of VibeTunnel, a recording of version 2, that the format does not allow.
///
/// The last line is `["exit", STATUS, "ID"]`, where -1 stands for an unknown status. Data that is not UTF-8 can be an
/// array of bytes.
enum VibeTunnelLine {
    case event(EventScanner.Fields)
    case unknownExit

    /// The maximum length of a line that is parsed; parsing takes many times the memory of the line.
    private static let limit = 1 << 20

    /// Parses a line; an exit is given the time of the previous event.
    init?(_ line: ArraySlice<UInt8>, at time: RecordingTime) {
        guard line.count <= Self.limit else { return nil }
        let document = Array(line)
        guard let elements = (try? JSONOutlineParser.parse(document))?.elements, (2...3).contains(elements.count) else {
            return nil
        }
        if elements[0].string(in: document) == "exit" {
            guard let status: Int32 = elements[1].integer(in: document) else { return nil }
            let data = Array(String(status).utf8)
            self = status < 0 ? .unknownExit : .event(EventScanner.Fields(time: time, code: "x", data: data))
        } else {
            guard elements.count == 3, let time = EventScanner.time(startOf: document.span),
                let code = elements[1].string(in: document), let data = Self.bytes(elements[2], in: document)
            else { return nil }
            self = .event(EventScanner.Fields(time: time, code: code, data: data))
        }
    }

    private static func bytes(_ outline: JSONOutline, in document: [UInt8]) -> [UInt8]? {
        guard let elements = outline.elements else { return nil }
        var bytes: [UInt8] = []
        for element in elements {
            guard let byte: UInt8 = element.integer(in: document) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
