import Core
import Runtime

/// Sends messages to the client, one per line.
struct MCPOutput: Sendable {
    private let sink: any ByteSink
    private let lock = AsyncLock()

    /// The key that the messages of a subscription have in `_meta`.
    static let subscription = "io.modelcontextprotocol/subscriptionId"

    init(_ sink: any ByteSink) {
        self.sink = sink
    }

    private func send(_ members: (inout JSONWriter) -> Void) async throws(VTError) {
        let document = JSONWriter.object { writer in
            writer.member("jsonrpc", "2.0")
            members(&writer)
        }
        let line = document + [UInt8(ascii: "\n")]
        try await lock.withLock { () async throws(VTError) in try await sink.write(line) }
    }

    func send(result: [UInt8], for id: [UInt8]) async throws(VTError) {
        try await send { writer in
            writer.member("id", json: id)
            writer.member("result", json: result)
        }
    }

    func send(_ failure: MCPFailure, for id: [UInt8]? = nil) async throws(VTError) {
        try await send { writer in
            writer.member("id", json: id ?? failure.id ?? Array("null".utf8))
            writer.name("error")
            failure.write(to: &writer)
        }
    }

    /// Sends a notification, with the ID of the subscription to which it belongs.
    func notify(
        _ method: String,
        in subscription: [UInt8]? = nil,
        _ params: (inout JSONWriter) -> Void
    ) async throws(VTError) {
        try await send { writer in
            writer.member("method", method)
            writer.object("params") { writer in
                params(&writer)
                guard let subscription else { return }
                writer.object("_meta") { writer in
                    writer.member(Self.subscription, json: subscription)
                }
            }
        }
    }
}
