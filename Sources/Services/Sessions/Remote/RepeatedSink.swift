import Core
import Synchronization

/// Forwards a stream that restarts after a lost connection, skipping the bytes that have already been forwarded.
///
/// Only complete lines are forwarded, unless the stream is binary, so that an interruption leaves no incomplete line.
final class RepeatedSink: ByteSink {
    private struct State {
        /// The number of bytes forwarded so far.
        var passedCount = 0
        /// The last bytes forwarded: at least `tailBytes`, or all of them if there are fewer.
        var tail: [UInt8] = []
        /// The current position in the stream.
        var position = 0
        /// The start of a line whose end has not arrived.
        var line: [UInt8] = []
    }

    private let sink: any ByteSink
    private let name: String
    private let isBinary: Bool
    private let state = Mutex(State())

    /// The number of bytes to compare after a restart.
    private static let tailBytes = 64 << 10

    /// The length beyond which a line is forwarded in parts.
    private static let lineLimitBytes = 1 << 20

    /// `name` is the sender's name in errors.
    init(_ sink: any ByteSink, from name: String, isBinary: Bool) {
        (self.sink, self.name, self.isBinary) = (sink, name, isBinary)
    }

    /// The number of bytes forwarded so far.
    var passedCount: UInt64 { state.withLock { UInt64($0.passedCount) } }

    /// Restarts the stream from its beginning.
    func restart() {
        state.withLock { ($0.position, $0.line) = (0, []) }
    }

    /// - Throws: `data.invalid` when the bytes differ from those received before.
    func write(_ bytes: [UInt8]) async throws(VTError) {
        guard !isBinary else { return try await forward(bytes) }
        let lines = state.withLock { state in
            state.line += bytes
            let end = state.line.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
            let count = end ?? (state.line.count > Self.lineLimitBytes ? state.line.count : 0)
            defer { state.line.removeFirst(count) }
            return Array(state.line[..<count])
        }
        if !lines.isEmpty { try await forward(lines) }
    }

    /// Forwards an incomplete last line; called once the stream is complete, because text can lack a final newline.
    func finish() async throws(VTError) {
        let last = state.withLock { state in
            defer { state.line = [] }
            return state.line
        }
        if !last.isEmpty { try await forward(last) }
    }

    private func forward(_ bytes: [UInt8]) async throws(VTError) {
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
