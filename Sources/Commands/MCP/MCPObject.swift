import Core

/// A JSON object that was received, with the document that contains it.
struct MCPObject: Sendable {
    private let outline: JSONOutline
    private let document: [UInt8]

    /// Nil if the value is not an object.
    init?(_ outline: JSONOutline?, in document: [UInt8]) {
        guard let outline, outline.members != nil else { return nil }
        self.outline = outline
        self.document = document
    }

    /// Nil if the bytes are not a JSON object.
    init?(_ document: [UInt8]) {
        self.init(try? JSONOutlineParser.parse(document), in: document)
    }

    /// The object without the spaces around it.
    var json: [UInt8] { Array(document[outline.range]) }

    var names: [String] { outline.members?.map(\.name) ?? [] }

    private func value(_ name: String) -> JSONOutline? {
        outline.member(name).flatMap { $0.isNull ? nil : $0 }
    }

    func has(_ name: String) -> Bool { value(name) != nil }

    func object(_ name: String) -> MCPObject? { MCPObject(value(name), in: document) }

    func string(_ name: String) -> String? { value(name)?.string(in: document) }

    func bool(_ name: String) -> Bool? { value(name)?.bool(in: document) }

    func number(_ name: String) -> Double? { value(name)?.number(in: document) }

    func integer(_ name: String) -> Int? { value(name)?.integer(in: document) }

    /// The strings of an array; nil if it contains anything else.
    func strings(_ name: String) -> [String]? {
        guard let elements = value(name)?.elements else { return nil }
        let strings = elements.compactMap { $0.string(in: document) }
        return strings.count == elements.count ? strings : nil
    }

    /// The objects of an array; nil if it contains anything else.
    func objects(_ name: String) -> [MCPObject]? {
        guard let elements = value(name)?.elements else { return nil }
        let objects = elements.compactMap { MCPObject($0, in: document) }
        return objects.count == elements.count ? objects : nil
    }

    /// The JSON of a value.
    func json(_ name: String) -> [UInt8]? {
        value(name).map { Array(document[$0.range]) }
    }

    /// The object with only these members, in this order; "A.B" is the member B of the object A.
    func json(only names: [String]) -> [UInt8] {
        JSONWriter.object { writer in
            for name in names {
                guard let dot = name.firstIndex(of: ".") else {
                    write([name], to: &writer)
                    continue
                }
                let parent = name[..<dot]
                let members = names.filter { $0.hasPrefix("\(parent).") }
                guard members.first == name, let object = object(String(parent)) else { continue }
                writer.object(String(parent)) { writer in
                    object.write(members.map { String($0.dropFirst(parent.count + 1)) }, to: &writer)
                }
            }
        }
    }

    /// The JSON of the object with another member.
    func adding(_ name: String, _ value: some JSONValue) -> [UInt8] {
        JSONWriter.object { writer in
            write(names, to: &writer)
            writer.member(name, value)
        }
    }

    /// Writes these members.
    func write(_ names: [String], to writer: inout JSONWriter) {
        for name in names {
            if let json = json(name) { writer.member(name, json: json) }
        }
    }

    /// The objects of an array.
    static func objects(in document: [UInt8]) -> [MCPObject]? {
        (try? JSONOutlineParser.parse(document))?.elements?.compactMap { MCPObject($0, in: document) }
    }
}
