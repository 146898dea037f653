import Core

/// The members of a JSON object that is being written or read: one declaration of a field serves both directions.
///
/// A field with its default value is omitted, and a missing member leaves its field unchanged.
struct CallFields {
    private var writer = JSONWriter()
    /// The members to read; nil while writing.
    private let members: [JSONOutline.Member]?
    private let bytes: [UInt8]
    /// The members that no field has read.
    private(set) var unknown: Set<String> = []
    /// The first member whose value is invalid.
    private var invalid: String?

    /// Writes an object; `body` declares its fields.
    static func write(_ body: (inout CallFields) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            var fields = CallFields(writer)
            body(&fields)
            writer = fields.writer
        }
        return writer.bytes
    }

    private init(_ writer: JSONWriter) {
        self.writer = writer
        members = nil
        bytes = []
    }

    /// - Throws: `protocol` when the bytes are not a JSON object.
    init(reading json: [UInt8]) throws(VTError) {
        guard let members = (try? JSONOutlineParser.parse(json))?.members else {
            throw VTError(.protocolViolation, "a call or its result is not a JSON object")
        }
        self.members = members
        bytes = json
        unknown = Set(members.map(\.name))
    }

    /// - Throws: `protocol` when a member is invalid.
    func check() throws(VTError) {
        guard let invalid else { return }
        throw VTError(.protocolViolation, "the value of '\(invalid)' in a call or its result is invalid")
    }

    /// Rejects the value of a member.
    mutating func reject(_ name: String) {
        invalid = invalid ?? name
    }

    mutating func field<Value: JSONReadable>(_ name: String, _ value: inout Value?) {
        guard let members else { return writer.member(name, value) }
        guard let member = members.first(where: { $0.name == name }) else { return }
        unknown.remove(name)
        value = try? Value(member.value, in: bytes)
        if value == nil { reject(name) }
    }

    /// Declares a field that is always written.
    mutating func field<Value: JSONReadable>(_ name: String, _ value: inout Value) {
        var present: Value? = value
        field(name, &present)
        value = present ?? value
    }

    mutating func field<Value: JSONReadable & Equatable>(_ name: String, _ value: inout Value, default usual: Value) {
        var changed = value == usual ? nil : value
        field(name, &changed)
        value = changed ?? value
    }
}
