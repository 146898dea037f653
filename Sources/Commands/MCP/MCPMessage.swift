import Core

/// A request or a notification of a client (JSON-RPC 2.0).
struct MCPMessage: Sendable {
    /// The ID of a request, a string or a number, as JSON; nil for a notification.
    let id: [UInt8]?
    let method: String
    let params: MCPObject

    /// The revision that the message names; nil for a client that begins with a handshake.
    var revision: String? { params.object("_meta")?.string("io.modelcontextprotocol/protocolVersion") }

    /// - Throws: A JSON-RPC error with the ID of the message, if it has one.
    init(_ line: [UInt8]) throws(MCPFailure) {
        guard let outline = try? JSONOutlineParser.parse(line) else {
            throw MCPFailure(.parseError, "the message is not JSON")
        }
        guard let message = MCPObject(outline, in: line) else {
            throw MCPFailure(.invalidRequest, "the message is not an object")
        }
        id = message.string("id") != nil || message.number("id") != nil ? message.json("id") : nil
        guard message.string("jsonrpc") == "2.0", let method = message.string("method"),
            id != nil || !message.has("id")
        else { throw MCPFailure(.invalidRequest, "the message is not a request of JSON-RPC 2.0", id: id) }
        guard let params = message.has("params") ? message.object("params") : MCPObject(Array("{}".utf8)) else {
            throw MCPFailure(.invalidParams, "'params' is not an object", id: id)
        }
        self.method = method
        self.params = params
    }
}

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
            writer.name("data")
            writer.object { writer in
                writer.member("supported", MCPRevision.modern)
                writer.member("requested", requested)
            }
        }
    }
}

/// The revisions of the Model Context Protocol that the server knows.
enum MCPRevision {
    /// Without a handshake: each request names its revision.
    static let modern = ["2026-07-28"]
    /// With the handshake `initialize`, newest first.
    static let legacy = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
}
