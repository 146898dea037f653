import Core
import Recording

/// A type of values in calls and their results.
protocol CallValue {
    /// Returns nil for JSON of another type or with an invalid value.
    init?(_ json: JSONOutline, in document: [UInt8])

    func write(to writer: inout JSONWriter)
}

extension CallValue where Self: RawRepresentable, RawValue == String {
    init?(_ json: JSONOutline, in document: [UInt8]) {
        guard let text = json.string(in: document) else { return nil }
        self.init(rawValue: text)
    }

    func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}

extension SessionState: CallValue {}
extension SessionCall.Verb: CallValue {}
extension SessionCreation.IfExists: CallValue {}
extension RecordingFormat: CallValue {}
extension Finding.Verdict: CallValue {}
extension Timestamp: CallValue {}

extension CallValue where Self: FixedWidthInteger {
    init?(_ json: JSONOutline, in document: [UInt8]) {
        guard let number: Self = json.integer(in: document) else { return nil }
        self = number
    }

    func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Int: CallValue {}
extension UInt32: CallValue {}
extension Int64: CallValue {}
extension UInt64: CallValue {}

extension String: CallValue {
    init?(_ json: JSONOutline, in document: [UInt8]) {
        guard let text = json.string(in: document) else { return nil }
        self = text
    }

    func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: CallValue {
    init?(_ json: JSONOutline, in document: [UInt8]) {
        guard let value = json.bool(in: document) else { return nil }
        self = value
    }

    func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension [String]: CallValue {
    init?(_ json: JSONOutline, in document: [UInt8]) {
        guard let elements = json.elements else { return nil }
        self = elements.compactMap { $0.string(in: document) }
    }

    func write(to writer: inout JSONWriter) {
        writer.array { writer in for text in self { writer.string(text) } }
    }
}

/// In milliseconds.
extension Duration: CallValue {
    init?(_ json: JSONOutline, in document: [UInt8]) {
        guard let milliseconds: Int64 = json.integer(in: document) else { return nil }
        self = .milliseconds(milliseconds)
    }

    func write(to writer: inout JSONWriter) { writer.integer(wholeMilliseconds) }
}

extension SessionID: CallValue {
    init?(_ json: JSONOutline, in document: [UInt8]) {
        self.init(json.string(in: document) ?? "")
    }

    func write(to writer: inout JSONWriter) { writer.string(text) }
}

extension SessionName: CallValue {
    init?(_ json: JSONOutline, in document: [UInt8]) {
        guard let text = json.string(in: document), let name = try? SessionName(text) else { return nil }
        self = name
    }

    func write(to writer: inout JSONWriter) { writer.string(text) }
}

extension SignalName: CallValue {
    init?(_ json: JSONOutline, in document: [UInt8]) {
        guard let text = json.string(in: document) else { return nil }
        self.init(text)
    }

    func write(to writer: inout JSONWriter) { writer.string(text) }
}

/// As on the command line: `80x24`.
extension TerminalSize: CallValue {
    init?(_ json: JSONOutline, in document: [UInt8]) {
        guard let text = json.string(in: document), let size = try? TerminalSize(parsing: text) else { return nil }
        self = size
    }

    func write(to writer: inout JSONWriter) { writer.string("\(columns)x\(rows)") }
}

/// As on the command line: `1:20`.
extension RecordingPosition: CallValue {
    init?(_ json: JSONOutline, in document: [UInt8]) {
        guard let text = json.string(in: document), let position = try? RecordingPosition(parsing: text) else {
            return nil
        }
        self = position
    }

    func write(to writer: inout JSONWriter) { writer.string(text) }
}
