/// The place where a document is not valid JSON.
package struct JSONSyntaxError: Error, Equatable {
    /// The line number, from 1.
    package var line: Int
    /// The reason, such as `expected a value`.
    package var message: String

    package init(line: Int, message: String) {
        self.line = line
        self.message = message
    }
}
