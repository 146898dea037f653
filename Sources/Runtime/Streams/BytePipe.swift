import Core

/// Carries bytes from one task to another, buffering a bounded amount.
///
/// Only one task may read and only one may write. The two never wait at the same time, because the pipe cannot be both
/// full and empty.
package final class BytePipe: ByteSource, ByteSink {
    private struct State {
        var chunks: [[UInt8]] = []
        var pendingBytes = 0
        var isEnded = false
        var failure: VTError?
    }

    private let monitor = Monitor(State())
    private let limitBytes: Int

    package init(limitBytes: Int = 256 << 10) {
        self.limitBytes = limitBytes
    }

    /// Returns the written bytes, or nil after the end; throws if the pipe ended with a failure.
    package func read() async throws(VTError) -> [UInt8]? {
        let (chunk, failure) = try await monitor.wait { state -> ([UInt8]?, VTError?)? in
            guard let chunk = state.chunks.first else { return state.isEnded ? (nil, state.failure) : nil }
            state.chunks.removeFirst()
            state.pendingBytes -= chunk.count
            return (chunk, nil)
        }
        if let failure { throw failure }
        // The writer might be waiting for room.
        monitor.update { _ in }
        return chunk
    }

    /// Returns once there is room; if the pipe has ended, drops the bytes or throws its failure.
    package func write(_ bytes: [UInt8]) async throws(VTError) {
        guard !bytes.isEmpty else { return }
        let failure = try await monitor.wait { state -> VTError?? in
            if state.isEnded { return .some(state.failure) }
            guard state.pendingBytes < limitBytes else { return nil }
            state.chunks.append(bytes)
            state.pendingBytes += bytes.count
            return .some(nil)
        }
        if let failure { throw failure }
        monitor.update { _ in }
    }

    package var hasEnded: Bool { monitor.withLock(\.isEnded) }

    /// Ends the pipe after the written bytes; only the first call counts.
    package func end(_ failure: VTError? = nil) {
        monitor.update { state in
            guard !state.isEnded else { return }
            state.isEnded = true
            state.failure = failure
        }
    }
}
