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
