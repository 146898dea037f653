import Core
import Glibc
import Synchronization
import System

/// Standard output or standard error of this process.
package final class ProcessOutput: StandardOutput {
    private struct State {
        var hasLostReader = false
        var isClosed = false
        var queues: [ThreadedOutput] = []
    }

    /// The smallest page, all of which can be written to a pipe that counts as writable.
    private static let offerLimitBytes = 4096

    private let stream: StandardStream
    private let poller: DescriptorPoller
    private let state = Mutex(State())

    package init(_ stream: StandardStream, poller: DescriptorPoller) {
        self.stream = stream
        self.poller = poller
    }

    package var isTerminal: Bool { stream.isTerminal }
    package var terminalSize: TerminalSize? { stream.terminalSize }

    package var hasLostReader: Bool {
        state.withLock { $0.hasLostReader || $0.queues.contains { $0.hasLostReader } }
    }

    package func waitForLostReader() async throws(VTError) {
        guard !isTerminal else { return }
        try await poller.wait(for: .closed, on: stream.rawValue)
        state.withLock { $0.hasLostReader = true }
    }

    package func checkIsWritable() throws(VTError) {
        try stream.checkIsWritable()
    }

    package func write(_ bytes: [UInt8]) throws(VTError) {
        let failure = BlockingIO.write(stream.rawValue, bytes)
        guard failure != 0 else { return }
        if failure == EPIPE { state.withLock { $0.hasLostReader = true } }
        throw stream.failed("write to", failure)
    }

    package func offer(_ bytes: [UInt8]) throws(VTError) -> Bool {
        // A pipe counts as writable while it has a free page (pipe_poll in the kernel's fs/pipe.c).
        var request = pollfd(fd: stream.rawValue, events: Int16(POLLOUT), revents: 0)
        guard bytes.count <= Self.offerLimitBytes, unsafe poll(&request, 1, 0) != 0 else { return false }
        try write(bytes)
        return true
    }

    package func close() throws(VTError) {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        if isFirst { try stream.close() }
    }

    package func makeQueue(mayBeClosed: Bool) -> any OutputQueue {
        // A program's status must not depend on whether its diagnostics can be written.
        let loss: ThreadedOutput.Loss = stream == .errorOutput ? .any : mayBeClosed ? .ofClosedStream : .none
        let queue = ThreadedOutput(stream.rawValue, name: "to \(stream.name)", allowing: loss)
        state.withLock { $0.queues.append(queue) }
        return queue
    }
}
