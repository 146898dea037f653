/// A JSON document that a command prints with `--json`.
package struct DocumentSpec: Sendable {
    /// How many times a run prints the document.
    package enum Form: Sendable {
        /// Once, on several lines.
        case document
        /// Any number of times, each on one line.
        case lines
    }

    package var form: Form
    package var type: JSONType
    /// When the document is printed, if the command can print different ones: `with --count`.
    package var condition: String?

    package init(_ form: Form, _ type: JSONType, when condition: String? = nil) {
        self.form = form
        self.type = type
        self.condition = condition
    }
}

/// A kind of JSON object.
package struct ObjectSpec: Sendable {
    /// A lower-case noun, unique among all objects: `session`.
    package var name: String
    /// A phrase without a period.
    package var summary: String
    package var fields: [FieldSpec]

    package init(_ name: String, _ summary: String, fields: [FieldSpec]) {
        self.name = name
        self.summary = summary
        self.fields = fields
    }
}

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
}
