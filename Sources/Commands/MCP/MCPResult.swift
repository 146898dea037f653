import Core

/// The result of a tool.
struct MCPResult: Sendable {
    /// A JSON object.
    var json: [UInt8]
    /// The same as text.
    var text: String
    var isError = false
    /// Whether the tool did what it was called for.
    private(set) var isComplete = true
    /// A PNG image.
    var image: [UInt8]?

    /// `json` is an object; its output, if it has any, comes first in the text.
    init(_ json: [UInt8]) {
        self.json = json
        let object = MCPObject(json)
        if let object, let output = object.string("output") {
            let rest = String(decoding: object.json(only: object.names.filter { $0 != "output" }), as: UTF8.self)
            text = output + (output.isEmpty || output.hasSuffix("\n") ? "" : "\n") + rest
        } else {
            text = String(decoding: json, as: UTF8.self)
        }
    }

    /// A failure of vt, or a timeout, which is no failure, after the output in a document, if there is any.
    init(_ error: VTError, after document: MCPObject? = nil) {
        let output = document?.string("output") ?? ""
        json = JSONWriter.object { writer in
            if !output.isEmpty { writer.member("output", output) }
            if error.code == .timedOut {
                writer.member("outcome", "timed-out")
                writer.member("message", error.message)
                writer.member("hint", error.hint)
            } else {
                writer.member("error", FailureDocument(error, exit: error.code.status))
            }
        }
        isError = error.code != .timedOut
        isComplete = false
        text =
            output + (output.isEmpty || output.hasSuffix("\n") ? "" : "\n")
            + "\(error.code.rawValue): \(error.message.sanitized)"
            + (error.hint.map { "\nhint: \($0.sanitized)" } ?? "")
    }

    /// Writes a result of `tools/call` (CallToolResult in the MCP schema).
    func write(to writer: inout JSONWriter) {
        writer.array("content") { writer in
            writer.object { writer in
                writer.member("type", "text")
                writer.member("text", text)
            }
            guard let image else { return }
            writer.object { writer in
                writer.member("type", "image")
                writer.member("data", Base64.encode(image))
                writer.member("mimeType", "image/png")
            }
        }
        writer.member("structuredContent", json: json)
        writer.member("isError", isError)
    }
}
