import Core

/// Standard output, which carries only data.
package struct Output: Sendable {
    private let stream: any StandardOutput
    package let style: OutputStyle

    package init(_ stream: any StandardOutput, style: OutputStyle) {
        self.stream = stream
        self.style = style
    }

    /// Writes text, and terminates its last line; writes nothing if the text is empty.
    ///
    /// The caller must sanitize untrusted text (`String.sanitized`); tables sanitize their cells.
    package func text(_ text: String) throws(VTError) {
        guard !text.isEmpty else { return }
        try bytes(Array((text.hasSuffix("\n") ? text : text + "\n").utf8))
    }

    /// Writes a table; its cells can contain untrusted text.
    package func table(_ table: TextTable) throws(VTError) {
        try text(table.rendered(in: style))
    }

    /// Writes the single document of a run: indented on a terminal, otherwise on one line.
    package func json(_ document: some JSONValue) throws(VTError) {
        guard stream.isTerminal else { return try jsonLine(document) }
        try bytes(document.jsonDocument)
    }

    /// Writes one line of a stream of documents, without buffering.
    package func jsonLine(_ event: some JSONValue) throws(VTError) {
        try bytes(event.jsonLine)
    }

    /// Writes lines of a stream of documents, or nothing if that would block; returns whether they were written.
    package func offerLines(_ events: [some JSONValue]) throws(VTError) -> Bool {
        try stream.offer(events.flatMap(\.jsonLine))
    }

    /// Writes bytes unchanged.
    package func bytes(_ bytes: [UInt8]) throws(VTError) {
        try stream.write(bytes)
    }

    /// Checks that standard output is writable, for commands that must not act if they cannot report the result.
    ///
    /// - Throws: `io` when standard output is closed, or not open for writing.
    package func checkIsWritable() throws(VTError) {
        try stream.checkIsWritable()
    }

    /// Closes the stream; nothing can be written afterward.
    package func close() throws(VTError) {
        try stream.close()
    }
}
