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
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("jsonrpc", "2.0")
            members(&writer)
        }
        let line = writer.bytes + [UInt8(ascii: "\n")]
        try await lock.withLock { () async throws(VTError) in try await sink.write(line) }
    }

    func send(result: [UInt8], for id: [UInt8]) async throws(VTError) {
        try await send { writer in
            writer.name("id")
            writer.json(id)
            writer.name("result")
            writer.json(result)
        }
    }

    func send(_ failure: MCPFailure, for id: [UInt8]? = nil) async throws(VTError) {
        try await send { writer in
            writer.name("id")
            writer.json(id ?? failure.id ?? Array("null".utf8))
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
            writer.name("params")
            writer.object { writer in
                params(&writer)
                guard let subscription else { return }
                writer.name("_meta")
                writer.object { writer in
                    writer.name(Self.subscription)
                    writer.json(subscription)
                }
            }
        }
    }
}
