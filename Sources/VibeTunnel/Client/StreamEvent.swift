import Core

/// What a server reports about a session that a client follows.
package enum StreamEvent: Hashable, Sendable {
    /// The history of the session follows, from its beginning or from the last time that the screen was cleared.
    case header(TerminalSize?)
    /// UTF-8, in which the server has replaced what was invalid; `isHistory` means that it certainly is history.
    case output([UInt8], isHistory: Bool)
    case resize(TerminalSize)
    /// The program ended; nil and negative codes mean that it is not known how.
    case exit(Int?)
    /// Something about the session failed, which need not end the stream.
    case failure(String)

    /// Decodes the data of an event of `/api/sessions/ID/stream`: a header, or a line of the recording.
    ///
    /// Nil for an event that does not concern the output, or is not known.
    package init?(legacy json: [UInt8]) {
        guard let value = try? JSONOutlineParser.parse(json) else { return nil }
        if value.members != nil {
            guard value.member("version") != nil || value.member("width") != nil else { return nil }
            self = .header(Self.size(value, in: json))
            return
        }
        guard let elements = value.elements, elements.count >= 2 else { return nil }
        if elements[0].string(in: json) == "exit" {
            self = .exit(elements[1].integer(in: json))
            return
        }
        guard elements.count >= 3, let time = elements[0].number(in: json) else { return nil }
        switch elements[1].string(in: json) {
        case "o": self = .output(Self.bytes(of: elements[2], in: json), isHistory: time == 0)
        case "r":
            guard let size = elements[2].string(in: json).flatMap({ try? TerminalSize(parsing: $0) }) else {
                return nil
            }
            self = .resize(size)
        default: return nil
        }
    }

    /// Decodes the payload of an EVENT frame of the protocol v3 that belongs to a session.
    package init?(v3 json: [UInt8]) {
        guard let value = try? JSONOutlineParser.parse(json) else { return nil }
        switch value.member("kind")?.string(in: json) {
        case "header": self = .header(value.member("header").flatMap { Self.size($0, in: json) })
        case "exit": self = .exit(value.member("exitCode")?.integer(in: json))
        case "resize":
            guard let text = value.member("dimensions")?.string(in: json), let size = try? TerminalSize(parsing: text)
            else { return nil }
            self = .resize(size)
        default: return nil
        }
    }

    private static func size(_ header: JSONOutline, in json: [UInt8]) -> TerminalSize? {
        guard let columns: Int = header.member("width")?.integer(in: json),
            let rows: Int = header.member("height")?.integer(in: json)
        else { return nil }
        return TerminalSize(columns: columns, rows: rows)
    }

    /// Upstream's forwarder writes input that is not UTF-8 as an array of bytes.
    private static func bytes(of value: JSONOutline, in json: [UInt8]) -> [UInt8] {
        if let elements = value.elements { return elements.compactMap { $0.integer(in: json) } }
        return value.utf8(in: json).map { Array($0) } ?? []
    }
}
