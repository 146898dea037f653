import Core
import System

/// Standard output as the end of a connection: closed when the peer has sent everything, even if the command continues.
struct StandardOutputEnd: EndableSink {
    private let queue: any OutputQueue
    private let stream: any StandardOutput

    /// `queue` must write to `stream`.
    init(_ queue: any OutputQueue, _ stream: any StandardOutput) {
        self.queue = queue
        self.stream = stream
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        try await queue.write(bytes)
    }

    func end() async throws(VTError) {
        try await queue.finish()
        try stream.close()
        StandardStream.occupyClosed()
    }
}
