import Core
import Synchronization

/// Forwards a stream that restarts after a lost connection, skipping the bytes that have already been forwarded.
final class RepeatedSink: ByteSink {
    private struct State {
        /// The number of bytes forwarded so far.
        var passedCount = 0
        /// The last bytes forwarded: at least `tailBytes`, or all of them if there are fewer.
        var tail: [UInt8] = []
        /// The current position in the stream.
        var position = 0
    }

    private let sink: any ByteSink
    private let name: String
    private let state = Mutex(State())

    /// The number of bytes to compare after a restart.
    private static let tailBytes = 64 << 10

    /// `name` is the sender's name in errors.
    init(_ sink: any ByteSink, from name: String) {
        self.sink = sink
        self.name = name
    }

    /// The number of bytes forwarded so far.
    var passedCount: UInt64 { state.withLock { UInt64($0.passedCount) } }

    /// Restarts the stream from its beginning.
    func restart() {
        state.withLock { $0.position = 0 }
    }

    /// - Throws: `data.invalid` when the bytes differ from those received before.
    func write(_ bytes: [UInt8]) async throws(VTError) {
        let new = try state.withLock { state throws(VTError) in
            let knownCount = min(bytes.count, state.passedCount - state.position)
            let tailStart = state.passedCount - state.tail.count
            let from = max(state.position, tailStart)
            let to = state.position + knownCount
            if from < to {
                let expected = state.tail[(from - tailStart)..<(to - tailStart)]
                guard expected.elementsEqual(bytes[(from - state.position)..<knownCount]) else {
                    throw VTError(
                        .dataInvalid,
                        "cannot resume the recording from '\(name)': it differs from the part already written"
                    )
                }
            }
            state.position += bytes.count
            return bytes[knownCount...]
        }
        guard !new.isEmpty else { return }
        try await sink.write(Array(new))
        state.withLock { state in
            state.passedCount += new.count
            state.tail += new.suffix(Self.tailBytes)
            // Not trimmed on every write, because most writes are short lines.
            if state.tail.count > 2 * Self.tailBytes { state.tail.removeFirst(state.tail.count - Self.tailBytes) }
        }
    }
}
