/// The type of a value in a JSON document.
package indirect enum JSONType: Sendable {
    case string
    /// One of these strings.
    case choice([String])
    case integer
    /// A number that may have a fractional part.
    case number
    case boolean
    case array(JSONType)
    /// An object whose keys are not fixed, with values of one type.
    case map(JSONType)
    case object(ObjectSpec)
    case either([JSONType])
    /// A value that another program has written.
    case any
}

extension JSONType {
    /// The objects in a value of this type, outermost first, possibly with duplicates.
    package var objects: [ObjectSpec] {
        switch self {
        case .string, .choice, .integer, .number, .boolean, .any: []
        case .array(let element), .map(let element): element.objects
        case .object(let object): [object] + object.fields.flatMap(\.type.objects)
        case .either(let types): types.flatMap(\.objects)
        }
    }
}
