import Arguments
import Core

/// Compares JSON documents with their descriptions.
struct DocumentCheck {
    /// The fields that have occurred, as `OBJECT.FIELD`.
    private(set) var seen: Set<String> = []
    private(set) var problems: [String] = []

    /// Checks a document, which problems refer to as `origin`.
    mutating func check(_ document: [UInt8], is type: JSONType, from origin: String) throws {
        check(try JSONOutlineParser.parse(document), document, is: type, at: origin)
    }

    /// All fields of a type, in the same form as `seen`.
    static func fields(of type: JSONType) -> Set<String> {
        Set(type.objects.flatMap { object in object.fields.map { "\(object.name).\($0.name)" } })
    }

    private mutating func check(_ value: JSONOutline, _ document: [UInt8], is type: JSONType, at place: String) {
        switch (type, value.content) {
        case (.any, _), (.string, .string), (.boolean, .bool), (.number, .number): break
        case (.choice(let choices), .string):
            let text = value.string(in: document) ?? ""
            if !choices.contains(text) { problems.append("\(place): '\(text)' is not one of the choices") }
        case (.integer, .number):
            let number: Int64? = value.integer(in: document)
            if number == nil { problems.append("\(place): not an integer") }
        case (.array(let element), .array(let elements)):
            for (index, item) in elements.enumerated() { check(item, document, is: element, at: "\(place)[\(index)]") }
        case (.map(let type), .object(let members)):
            for member in members { check(member.value, document, is: type, at: "\(place).\(member.name)") }
        case (.object(let object), .object(let members)):
            check(members, document, are: object, at: place)
        case (.either(let types), _):
            check(value, document, isOneOf: types, at: place)
        default:
            problems.append("\(place): not of type \(type)")
        }
    }

    private mutating func check(
        _ members: [JSONOutline.Member],
        _ document: [UInt8],
        are object: ObjectSpec,
        at place: String
    ) {
        for member in members {
            guard let field = object.fields.first(where: { $0.name == member.name }) else {
                problems.append("\(place).\(member.name): not described")
                continue
            }
            seen.insert("\(object.name).\(field.name)")
            check(member.value, document, is: field.type, at: "\(place).\(field.name)")
        }
        let names = Set(members.map(\.name))
        for field in object.fields where !field.isOptional && !names.contains(field.name) {
            problems.append("\(place).\(field.name): missing, but not described as optional")
        }
    }

    private mutating func check(
        _ value: JSONOutline,
        _ document: [UInt8],
        isOneOf types: [JSONType],
        at place: String
    ) {
        for type in types {
            var attempt = self
            attempt.check(value, document, is: type, at: place)
            if attempt.problems.count == problems.count {
                self = attempt
                return
            }
        }
        problems.append("\(place): matches none of the types")
    }
}
