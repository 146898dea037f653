import Core

/// An error of the protocol (JSON-RPC 2.0 §5.1).
struct MCPFailure: Error {
    enum Code: Int {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        /// MCP 2026-07-28.
        case unsupportedVersion = -32022
    }

    var code: Code
    var message: String
    var id: [UInt8]?
    /// The revision that the client has asked for, if it is not supported.
    var requested: String?

    init(_ code: Code, _ message: String, id: [UInt8]? = nil, requested: String? = nil) {
        self.code = code
        self.message = message
        self.id = id
        self.requested = requested
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", code.rawValue)
            writer.member("message", message)
            guard let requested else { return }
            writer.object("data") { writer in
                writer.member("supported", MCPServer.modernRevisions)
                writer.member("requested", requested)
            }
        }
    }
}
