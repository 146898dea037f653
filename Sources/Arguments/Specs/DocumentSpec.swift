import Core

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
