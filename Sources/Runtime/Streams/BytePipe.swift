import Core

/// Carries bytes from one task to another, buffering a bounded amount.
///
/// Only one task may read and only one may write. The two never wait at the same time, because the pipe cannot be both
/// full and empty.
package final class BytePipe: ByteSource, ByteSink {
    private struct State {
        var chunks: [[UInt8]] = []
        var pendingBytes = 0
        /// How the pipe has ended; nil while it has not.
        var end: Result<Void, VTError>?
    }

    private let monitor = Monitor(State())
    private let limitBytes: Int

    package init(limitBytes: Int = 256 << 10) {
        self.limitBytes = limitBytes
    }

    /// Returns the written bytes, or nil after the end; throws if the pipe ended with a failure.
    package func read() async throws(VTError) -> [UInt8]? {
        let chunk = try await monitor.wait { state -> Result<[UInt8]?, VTError>? in
            guard let chunk = state.chunks.first else { return state.end?.map { nil } }
            state.chunks.removeFirst()
            state.pendingBytes -= chunk.count
            return .success(chunk)
        }.get()
        // The writer might be waiting for room.
        monitor.update { _ in }
        return chunk
    }

    /// Returns once there is room; if the pipe has ended, drops the bytes or throws its failure.
    package func write(_ bytes: [UInt8]) async throws(VTError) {
        guard !bytes.isEmpty else { return }
        try await monitor.wait { state -> Result<Void, VTError>? in
            if let end = state.end { return end }
            guard state.pendingBytes < limitBytes else { return nil }
            state.chunks.append(bytes)
            state.pendingBytes += bytes.count
            return .success(())
        }.get()
        monitor.update { _ in }
    }

    package var hasEnded: Bool { monitor.withLock { $0.end != nil } }

    /// Ends the pipe after the written bytes; only the first call counts.
    package func end(_ failure: VTError? = nil) {
        monitor.update { state in
            if state.end == nil { state.end = failure.map { .failure($0) } ?? .success(()) }
        }
    }
}
