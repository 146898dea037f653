import Core
import Synchronization

/// A stream to the terminal that shows a progress line, which is erased before anything else is written.
struct TerminalOutput: StandardOutput {
    private let stream: any StandardOutput
    private let line: ProgressLine

    private init(_ stream: any StandardOutput, line: ProgressLine) {
        self.stream = stream
        self.line = line
    }

    /// Returns the stream unchanged if it is not a terminal, or if the line can never appear.
    static func erasing(_ line: ProgressLine, before stream: any StandardOutput) -> any StandardOutput {
        line.isEnabled && stream.isTerminal ? TerminalOutput(stream, line: line) : stream
    }

    var isTerminal: Bool { stream.isTerminal }
    var terminalSize: TerminalSize? { stream.terminalSize }
    var hasLostReader: Bool { stream.hasLostReader }

    func waitForLostReader() async throws(VTError) { try await stream.waitForLostReader() }

    func checkIsWritable() throws(VTError) { try stream.checkIsWritable() }

    func write(_ bytes: [UInt8]) throws(VTError) {
        try line.clear { () throws(VTError) in try stream.write(bytes) }
    }

    func offer(_ bytes: [UInt8]) throws(VTError) -> Bool {
        try line.clear { () throws(VTError) in try stream.offer(bytes) }
    }

    func close() throws(VTError) { try stream.close() }

    func makeQueue(mayBeClosed: Bool) -> any OutputQueue {
        let queue = TerminalQueue(stream.makeQueue(mayBeClosed: mayBeClosed), line: line)
        line.yield(to: queue)
        return queue
    }
}

/// A queue to the terminal that shows a progress line.
final class TerminalQueue: OutputQueue {
    private let queue: any OutputQueue
    private let line: ProgressLine
    private let queuedBytes = Mutex<UInt64>(0)

    fileprivate init(_ queue: any OutputQueue, line: ProgressLine) {
        self.queue = queue
        self.line = line
    }

    /// Whether output has not been written yet.
    var isPending: Bool { queuedBytes.withLock { $0 } > queue.writtenBytes }

    var hasLostReader: Bool { queue.hasLostReader }
    var writtenBytes: UInt64 { queue.writtenBytes }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        // From here on, the line does not appear again before the bytes have been written.
        queuedBytes.withLock { $0 += UInt64(bytes.count) }
        line.clear()
        try await queue.write(bytes)
    }

    func drain() async throws(VTError) { try await queue.drain() }

    func finish() async throws(VTError) { try await queue.finish() }
}
