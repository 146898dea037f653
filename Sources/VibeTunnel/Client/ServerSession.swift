import Core

/// A session as a VibeTunnel server describes it.
///
/// Servers of different versions describe sessions differently: only the ID is always there.
package struct ServerSession: Hashable, Sendable {
    package enum Status: Hashable, Sendable {
        case starting, running, exited
        /// A status that this version of vt does not know.
        case other(String)
    }

    package let id: SessionID
    package let name: String
    /// Servers of June 2025 send a line instead of words; it is split at spaces.
    package let command: [String]
    package let directory: String
    package let status: Status
    /// Nil if the status is unknown, even of a program that has ended: the Go server never sends it.
    package let exitCode: Int?
    package let startedAt: Timestamp?
    /// The time of the last output, if the program has not ended.
    package let modifiedAt: Timestamp?
    package let processID: Int32?
    package let size: TerminalSize?
    /// Whether the server says that it accepts no input for the session, as `vt serve` does.
    package let isReadOnly: Bool
    /// The server's object, with all of its members.
    package let json: ForeignJSON

    /// Nil for a value without a usable ID.
    package init?(_ value: JSONOutline, in document: [UInt8]) {
        func text(_ names: String...) -> String? {
            names.lazy.compactMap { value.member($0)?.string(in: document) }.first
        }
        func number<Number: FixedWidthInteger>(_ name: String) -> Number? { value.member(name)?.integer(in: document) }
        guard let id = text("id", "session_id").flatMap(SessionID.init(foreign:)) else { return nil }
        self.id = id
        command = Self.words(of: value.member("command") ?? value.member("cmdline"), in: document)
        name = text("name") ?? command.joined(separator: " ")
        directory = text("workingDir", "cwd") ?? ""
        exitCode = number("exitCode") ?? number("exit_code")
        let status = text("status")
        self.status =
            switch status {
            case "starting": .starting
            case "running": .running
            case "exited": .exited
            case let other?: .other(other)
            case nil: exitCode == nil ? .running : .exited
            }
        startedAt = text("startedAt", "started_at").flatMap(Timestamp.init(ofServer:))
        modifiedAt = text("lastModified").flatMap(Timestamp.init(ofServer:))
        processID = number("pid")
        let columns: Int? = number("initialCols") ?? number("width") ?? number("cols")
        let rows: Int? = number("initialRows") ?? number("height") ?? number("rows")
        size = columns.flatMap { columns in rows.flatMap { TerminalSize(columns: columns, rows: $0) } }
        isReadOnly = value.member("readOnly")?.bool(in: document) ?? false
        json = ForeignJSON(value, in: document)
    }

    package var hasEnded: Bool { status == .exited }

    private static func words(of value: JSONOutline?, in document: [UInt8]) -> [String] {
        guard let value else { return [] }
        if let elements = value.elements { return elements.compactMap { $0.string(in: document) } }
        return value.string(in: document)?.split(separator: " ").map(String.init) ?? []
    }
}

extension Timestamp {
    /// Parses a time in the answers of VibeTunnel servers, to the second: RFC 3339 with any number of fractional digits, and
    /// `Z` or an offset.
    init?(ofServer text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, let base = Timestamp(rawValue: String(decoding: bytes[..<19], as: UTF8.self) + "Z")
        else { return nil }
        var rest = bytes[19...]
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst().drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard let offset = rest.elementsEqual([UInt8(ascii: "Z")]) ? 0 : Self.offset(rest) else { return nil }
        self.init(seconds: base.seconds - offset)
    }

    /// The seconds of an offset such as `+02:00`.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int64? {
        let digits = text.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.map { Int64($0) - 48 }
        guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), digits.count == 4,
            text.count <= 6
        else { return nil }
        let seconds = (digits[0] * 10 + digits[1]) * 3600 + (digits[2] * 10 + digits[3]) * 60
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }
}
