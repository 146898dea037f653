import Core

/// The members of a JSON object that is being written or read: one declaration of a field serves both directions.
///
/// Fields that are nil, false, zero or empty are omitted, and a missing member leaves its field unchanged.
struct CallFields {
    private var writer = JSONWriter()
    /// The members to read; nil while writing.
    private let members: [JSONOutline.Member]?
    private let bytes: [UInt8]
    /// The members that no field has read.
    private(set) var unknown: Set<String> = []
    /// The first member whose value is invalid.
    private(set) var invalid: String?

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

    // MARK: - Fields

    mutating func text(_ name: String, _ value: inout String?) {
        field(name, &value, write: { $0.string($1) }, read: { $0.string(in: $1) })
    }

    mutating func text(_ name: String, _ value: inout String) {
        present(&value, isOmitted: value.isEmpty) { fields, value in fields.text(name, &value) }
    }

    mutating func number<Number: FixedWidthInteger>(_ name: String, _ value: inout Number?) {
        field(name, &value, write: { $0.integer($1) }, read: { $0.integer(in: $1) })
    }

    mutating func number<Number: FixedWidthInteger>(_ name: String, _ value: inout Number) {
        present(&value, isOmitted: value == 0) { fields, value in fields.number(name, &value) }
    }

    mutating func flag(_ name: String, _ value: inout Bool) {
        present(&value, isOmitted: !value) { fields, value in
            fields.field(name, &value, write: { $0.bool($1) }, read: { $0.bool(in: $1) })
        }
    }

    mutating func texts(_ name: String, _ value: inout [String]) {
        present(&value, isOmitted: value.isEmpty) { fields, value in
            fields.field(
                name,
                &value,
                write: { writer, texts in writer.array { for text in texts { $0.string(text) } } },
                read: { outline, bytes in outline.elements?.compactMap { $0.string(in: bytes) } }
            )
        }
    }

    /// A duration in milliseconds.
    mutating func duration(_ name: String, _ value: inout Duration?) {
        var milliseconds = value?.wholeMilliseconds
        number(name, &milliseconds)
        value = milliseconds.map { .milliseconds($0) }
    }

    /// A value that is written as text.
    mutating func value<Value>(
        _ name: String,
        _ value: inout Value?,
        text: (Value) -> String,
        parse: (String) -> Value?
    ) {
        field(
            name,
            &value,
            write: { $0.string(text($1)) },
            read: { outline, bytes in outline.string(in: bytes).flatMap(parse) }
        )
    }

    mutating func choice<Choice: RawRepresentable<String>>(_ name: String, _ value: inout Choice?) {
        self.value(name, &value, text: { $0.rawValue }, parse: { Choice(rawValue: $0) })
    }

    mutating func choice<Choice: RawRepresentable<String>>(_ name: String, _ value: inout Choice) {
        present(&value, isOmitted: false) { fields, value in fields.choice(name, &value) }
    }

    mutating func size(_ name: String, _ value: inout TerminalSize?) {
        self.value(name, &value, text: { "\($0.columns)x\($0.rows)" }, parse: { try? TerminalSize(parsing: $0) })
    }

    // MARK: -

    /// Handles a field that is omitted if it has its default value.
    private mutating func present<Value>(
        _ value: inout Value,
        isOmitted: Bool,
        _ body: (inout CallFields, inout Value?) -> Void
    ) {
        var optional = isOmitted ? nil : value
        body(&self, &optional)
        if let optional { value = optional }
    }

    private mutating func field<Value>(
        _ name: String,
        _ value: inout Value?,
        write: (inout JSONWriter, Value) -> Void,
        read: (JSONOutline, [UInt8]) -> Value?
    ) {
        guard let members else {
            guard let value else { return }
            writer.name(name)
            write(&writer, value)
            return
        }
        guard let member = members.first(where: { $0.name == name }) else { return }
        unknown.remove(name)
        guard let found = read(member.value, bytes) else {
            invalid = invalid ?? name
            return
        }
        value = found
    }
}
