/// The type of a value in a JSON document.
package indirect enum JSONType: Sendable {
    case string
    /// One of these strings.
    case choice([String])
    case integer
    /// A number that can have a fraction.
    case number
    case boolean
    case array(JSONType)
    /// An object whose keys are not fixed, with values of one type.
    case map(JSONType)
    case object(ObjectSpec)
    case either([JSONType])
}
