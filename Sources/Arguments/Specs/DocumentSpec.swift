/// What a command prints with `--json`.
package struct DocumentSpec: Sendable {
    /// How often it is printed in a run.
    package enum Form: Sendable {
        /// Once, on several lines.
        case document
        /// Any number of times, each on one line.
        case lines
    }

    package var form: Form
    package var type: JSONType
    /// When it is printed, if a command has several documents: `with --count`.
    package var condition: String?

    package init(_ form: Form, _ type: JSONType, when condition: String? = nil) {
        self.form = form
        self.type = type
        self.condition = condition
    }
}
