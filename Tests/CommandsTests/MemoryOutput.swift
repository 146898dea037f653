import Core
import Synchronization

/// Standard output or standard error that records what is written.
final class MemoryOutput: StandardOutput {
    let isTerminal: Bool
    let terminalSize: TerminalSize?
    private let refuses: Bool
    private let limitBytes: Int
    private let state = Mutex(State())

    private struct State {
        var bytes: [UInt8] = []
        var isClosed = false
        var hasLostReader = false
    }

    /// With `refuses`, all writes fail, as on a full disk; writes beyond `limitBytes` fail as if the reader had exited.
    init(isTerminal: Bool = false, columns: Int? = nil, refuses: Bool = false, limitBytes: Int = .max) {
        self.isTerminal = isTerminal
        terminalSize = columns.flatMap { TerminalSize(columns: $0, rows: 24) }
        self.refuses = refuses
        self.limitBytes = limitBytes
    }

    var text: String {
        state.withLock { String(decoding: $0.bytes, as: UTF8.self) }
    }

    var isClosed: Bool {
        state.withLock { $0.isClosed }
    }

    var hasLostReader: Bool {
        state.withLock { $0.hasLostReader }
    }

    /// Returns immediately, because there is no reader that could exit without a write.
    func waitForLostReader() async throws(VTError) {}

    func checkIsWritable() throws(VTError) {
        guard !refuses else { throw VTError(.io, "cannot write to standard output: no space left on device") }
    }

    func write(_ bytes: [UInt8]) throws(VTError) {
        try checkIsWritable()
        let isRead = state.withLock { state in
            guard state.bytes.count + bytes.count <= limitBytes else {
                state.hasLostReader = true
                return false
            }
            state.bytes += bytes
            return true
        }
        guard isRead else { throw VTError(.io, "cannot write to standard output: broken pipe") }
    }

    func close() throws(VTError) {
        state.withLock { $0.isClosed = true }
    }

    func makeQueue(mayBeClosed: Bool) -> any OutputQueue {
        Queue(output: self)
    }

    /// Writes without delay.
    private struct Queue: OutputQueue {
        let output: MemoryOutput

        var hasLostReader: Bool { output.hasLostReader }
        var writtenBytes: UInt64 { UInt64(output.text.utf8.count) }

        func write(_ bytes: [UInt8]) async throws(VTError) { try output.write(bytes) }

        func drain() async throws(VTError) {}

        func finish() async throws(VTError) {}
    }
}
