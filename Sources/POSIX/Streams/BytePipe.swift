import Core

/// Carries bytes from one task to another, a bounded amount of them at a time.
///
/// Only one task reads and only one writes, so that never both wait: the pipe is not full and empty at once.
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

    /// Returns what was written, or nil once that is read and the pipe was ended; a failed end is thrown then.
    package func read() async throws(VTError) -> [UInt8]? {
        let (chunk, failure) = try await monitor.wait { state -> ([UInt8]?, VTError?)? in
            guard let chunk = state.chunks.first else { return state.isEnded ? (nil, state.failure) : nil }
            state.chunks.removeFirst()
            state.pendingBytes -= chunk.count
            return (chunk, nil)
        }
        if let failure { throw failure }
        // The writer may wait for room.
        monitor.update { _ in }
        return chunk
    }

    /// Returns once there is room; bytes for a pipe that has ended are dropped, or its failure is thrown.
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

    /// Lets the reader see the end after what was written; only the first end counts.
    package func end(_ failure: VTError? = nil) {
        monitor.update { state in
            guard !state.isEnded else { return }
            state.isEnded = true
            state.failure = failure
        }
    }
}
