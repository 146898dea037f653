/// Decodes frames from incoming bytes.
package struct SessionFrameDecoder: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0

    package init() {}

    package mutating func append(_ bytes: [UInt8]) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// Returns the next complete frame, or nil if more bytes are needed.
    ///
    /// Frames that are of an unknown kind, or whose payload does not match their kind, are skipped.
    ///
    /// - Throws: `protocol` for a frame that is empty or longer than `SessionFrame.limitBytes`; `config` for an invalid
    ///   record.
    package mutating func next() throws(VTError) -> SessionFrame? {
        while true {
            var reader = WireReader(buffer[start...])
            guard let length = reader.uint32() else { return nil }
            guard length >= 1, length <= UInt32(SessionFrame.limitBytes) else {
                throw VTError(
                    .protocolViolation,
                    "received an invalid frame of \(length) bytes on the connection to a session"
                )
            }
            guard let kind = reader.byte(), let payload = reader.bytes(Int(length) - 1) else { return nil }
            start += 4 + Int(length)
            if let frame = try SessionFrame(kind: kind, payload: payload) { return frame }
        }
    }

    /// Removes and returns the bytes that have not been decoded.
    package mutating func takeRest() -> [UInt8] {
        defer { (buffer, start) = ([], 0) }
        return Array(buffer[start...])
    }
}
