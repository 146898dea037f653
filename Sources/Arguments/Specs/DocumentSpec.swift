/// A JSON document that a command prints with `--json`.
package struct DocumentSpec: Sendable {
    /// How often the document is printed in a run.
    package enum Form: Sendable {
        /// Once, on several lines.
        case document
        /// Any number of times, each on one line.
        case lines
    }

    package var form: Form
    package var type: JSONType
    /// When the document is printed, if the command has several: `with --count`.
    package var condition: String?

    package init(_ form: Form, _ type: JSONType, when condition: String? = nil) {
        self.form = form
        self.type = type
        self.condition = condition
    }
}
