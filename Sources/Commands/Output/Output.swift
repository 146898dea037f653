import Core

/// Standard output, which carries data and nothing else.
package struct Output: Sendable {
    private let stream: any ConsoleStream
    package let style: OutputStyle

    package init(_ stream: any ConsoleStream, style: OutputStyle) {
        self.stream = stream
        self.style = style
    }

    /// Writes text as it is, ending its last line; empty text writes nothing.
    ///
    /// What came from outside is cleaned by the caller (`String.sanitized`); tables do so themselves.
    package func text(_ text: String) throws(VTError) {
        guard !text.isEmpty else { return }
        try bytes(Array((text.hasSuffix("\n") ? text : text + "\n").utf8))
    }

    /// Writes a table whose cells may come from outside.
    package func table(_ table: TextTable) throws(VTError) {
        try text(table.rendered(in: style))
    }

    /// Writes the one document of a run.
    package func json(_ document: some Encodable) throws(VTError) {
        try bytes(JSONText.document(document) + [UInt8(ascii: "\n")])
    }

    /// Writes one line of a stream of documents; it is out when this returns.
    package func jsonLine(_ event: some Encodable) throws(VTError) {
        try bytes(JSONText.line(event) + [UInt8(ascii: "\n")])
    }

    /// Writes bytes as they are.
    package func bytes(_ bytes: [UInt8]) throws(VTError) {
        try stream.write(bytes)
    }

    /// For commands whose effect could not be told of: they fail before it.
    ///
    /// - Throws: `io` where standard output is closed, or not open for writing.
    package func checkIsWritable() throws(VTError) {
        try stream.checkIsWritable()
    }

    /// Ends the stream; nothing can be written after.
    package func close() throws(VTError) {
        try stream.close()
    }
}
