/// A value that vt writes as JSON.
package protocol JSONValue: SendableMetatype {
    /// The type in the reference.
    static var jsonType: JSONType { get }
    /// Whether a field of this type can be absent.
    static var isOptional: Bool { get }
    /// Whether a field with this value is omitted.
    var isAbsent: Bool { get }

    func write(to writer: inout JSONWriter)
}

/// A value that vt writes and reads as JSON.
package protocol JSONReadable: JSONValue {
    /// Reads a value other than null.
    ///
    /// - Throws: when the JSON has another type or an invalid value.
    init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError)
}

/// A part of a JSON document that is missing or cannot be read.
package struct JSONValueError: Error, Equatable {
    /// The names of the objects' members that lead to the value, joined by periods.
    package var path: String
    /// The line number, starting at 1.
    package var line: Int
    package var isMissing: Bool

    package init(line: Int, path: String = "", isMissing: Bool = false) {
        self.path = path
        self.line = line
        self.isMissing = isMissing
    }

    /// The error with its path starting at the object that contains the member.
    func inMember(_ name: String) -> JSONValueError {
        JSONValueError(line: line, path: path.isEmpty ? name : "\(name).\(path)", isMissing: isMissing)
    }

    /// Describes the error in a document or object with this name, such as `profile 'web'`.
    package func message(for name: String) -> String {
        if isMissing { return "\(name) lacks '\(path)'" }
        return path.isEmpty ? "\(name) is invalid" : "'\(path)' in \(name) is invalid"
    }
}

extension JSONValue {
    package static var isOptional: Bool { false }
    package var isAbsent: Bool { false }

    /// The value without spaces.
    package var json: [UInt8] { json(JSONWriter()) }

    /// The value on one line, with a line feed.
    package var jsonLine: [UInt8] { json + [UInt8(ascii: "\n")] }

    /// The value on several indented lines, each with a line feed.
    package var jsonDocument: [UInt8] { json(JSONWriter(isIndented: true)) + [UInt8(ascii: "\n")] }

    private func json(_ writer: JSONWriter) -> [UInt8] {
        var writer = writer
        write(to: &writer)
        return writer.bytes
    }
}

extension JSONOutline {
    /// Returns the value of a member of an object; nil if there is none, or if it is null.
    package func optional<Value: JSONReadable>(
        _ name: String,
        in document: [UInt8]
    ) throws(JSONValueError) -> Value? {
        guard let value = try valid(members).first(where: { $0.name == name })?.value, !value.isNull else { return nil }
        do throws(JSONValueError) {
            return try Value(value, in: document)
        } catch {
            throw error.inMember(name)
        }
    }

    /// Returns the value of a member of an object.
    package func required<Value: JSONReadable>(
        _ name: String,
        in document: [UInt8]
    ) throws(JSONValueError) -> Value {
        guard let value: Value = try optional(name, in: document) else {
            throw JSONValueError(line: line, path: name, isMissing: true)
        }
        return value
    }

    /// Returns a value that was read from this part of the document.
    ///
    /// - Throws: if the value is nil.
    package func valid<Value>(_ value: Value?) throws(JSONValueError) -> Value {
        guard let value else { throw JSONValueError(line: line) }
        return value
    }
}
