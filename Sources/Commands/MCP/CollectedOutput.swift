import Core
import Synchronization

/// Standard output or standard error that is kept in memory.
final class CollectedOutput: StandardOutput {
    private let collected = Mutex<[UInt8]>([])

    /// The maximum number of bytes; what a command prints as JSON is limited by the command.
    private static let limitBytes = 64 << 20

    var bytes: [UInt8] { collected.withLock { $0 } }

    var isTerminal: Bool { false }
    var terminalSize: TerminalSize? { nil }
    var hasLostReader: Bool { false }

    func waitForLostReader() async throws(VTError) {}

    func checkIsWritable() throws(VTError) {}

    func write(_ bytes: [UInt8]) throws(VTError) {
        let isTooLong = collected.withLock { collected in
            guard collected.count + bytes.count <= Self.limitBytes else { return true }
            collected += bytes
            return false
        }
        if isTooLong { throw VTError(.io, "the result is longer than \(Self.limitBytes) bytes") }
    }

    func close() throws(VTError) {}

    func makeQueue(mayBeClosed: Bool) -> any OutputQueue { Queue(output: self) }

    private struct Queue: OutputQueue {
        let output: CollectedOutput

        var hasLostReader: Bool { false }
        var writtenBytes: UInt64 { UInt64(output.bytes.count) }

        func write(_ bytes: [UInt8]) async throws(VTError) { try output.write(bytes) }

        func drain() async throws(VTError) {}

        func finish() async throws(VTError) {}
    }
}
