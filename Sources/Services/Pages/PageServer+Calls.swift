import Core

/// The conversation with a client that has logged in to make calls, as with 'vt relay'.
extension PageServer {
    /// The maximum size of the input in one call, which is kept in memory.
    private static let dataLimitBytes = 4 << 20

    /// Converses until the client has gone; returns the reason to close the connection with.
    func performCalls(over channel: any PageChannel, _ access: PageAccess) async -> PageClosing {
        // Enough for the answer that the link does not allow input.
        let limit = access.role.canType ? Self.dataLimitBytes : 64 << 10
        let sessions = LinkedSessions(server: self, access: access)
        let relay = RelayService(sessions, version: version, dataLimitBytes: limit)
        let stream = MessageStream(channel: channel)
        do throws(VTError) {
            try await relay.run(input: stream, output: stream)
            return .done
        } catch {
            return error.code == .protocolViolation ? .protocolError : .goingAway
        }
    }
}

/// A connection as a stream of bytes: where a message ends has no meaning.
private struct MessageStream: ByteSource, ByteSink {
    /// The maximum length of a message that a client accepts.
    private static let messageBytes = 64 << 10

    let channel: any PageChannel

    func read() async throws(VTError) -> [UInt8]? {
        while let bytes = try await channel.read() {
            if !bytes.isEmpty { return bytes }
        }
        return nil
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            try await channel.write(Array(rest.prefix(Self.messageBytes)))
            rest = rest.dropFirst(Self.messageBytes)
        }
    }
}
