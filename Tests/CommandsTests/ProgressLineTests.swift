import Arguments
import Core
import Synchronization
import Testing

@testable import Commands

@Suite struct ProgressLineTests {
    /// A clock that only advances on request.
    private final class Time: Sendable {
        private let instant = Mutex(ContinuousClock.now)

        func pass(_ milliseconds: Int) {
            instant.withLock { $0 += .milliseconds(milliseconds) }
        }

        var now: ContinuousClock.Instant { instant.withLock { $0 } }
    }

    private let time = Time()

    private func line(on stream: MemoryOutput) -> ProgressLine {
        let time = time
        return ProgressLine(stream) { time.now }
    }

    @Test func `prints nothing if the stream is not a terminal`() {
        let stream = MemoryOutput()
        let line = line(on: stream)
        line.show("1 of 2")
        time.pass(1000)
        line.show("2 of 2")
        line.clear()
        #expect(stream.text == "")
    }

    @Test func `prints nothing for short operations`() {
        let stream = MemoryOutput(isTerminal: true, columns: 80)
        let line = line(on: stream)
        line.show("1 of 2")
        time.pass(499)
        line.show("2 of 2")
        line.clear()
        #expect(stream.text == "")
    }

    @Test func `the line is updated at a limited rate, and erased`() {
        let stream = MemoryOutput(isTerminal: true, columns: 80)
        let line = line(on: stream)
        line.show("0 of 9")
        for number in 1...3 {
            time.pass(500)
            line.show("\(number) of 9")
            time.pass(99)
            line.show("too soon")
        }
        line.clear()
        line.clear()
        #expect(stream.text == "\r\u{1b}[K1 of 9\r\u{1b}[K2 of 9\r\u{1b}[K3 of 9\r\u{1b}[K")
    }

    @Test func `an erased line appears again, at a limited rate`() {
        let stream = MemoryOutput(isTerminal: true, columns: 80)
        let line = line(on: stream)
        line.refresh()
        line.show("1 of 9")
        time.pass(500)
        line.refresh()
        line.refresh()
        line.clear { try? stream.write(Array("output\n".utf8)) }
        time.pass(49)
        line.refresh()
        line.clear { try? stream.write(Array("more\n".utf8)) }
        time.pass(1)
        line.refresh()
        time.pass(500)
        line.refresh()
        line.clear()
        let erase = "\r\u{1b}[K"
        #expect(stream.text == "\(erase)1 of 9\(erase)output\nmore\n\(erase)1 of 9\(erase)")
    }

    @Test func `a message that came too early is shown later`() {
        let stream = MemoryOutput(isTerminal: true, columns: 80)
        let line = line(on: stream)
        line.show("1 of 9")
        time.pass(500)
        line.refresh()
        line.show("2 of 9")
        time.pass(99)
        line.refresh()
        time.pass(1)
        line.refresh()
        #expect(stream.text == "\r\u{1b}[K1 of 9\r\u{1b}[K2 of 9")
    }

    @Test(arguments: [(80, "1 of 9, \u{1b}[31m2 failed\u{1b}[0m, 3"), (14, "1 of 9, 2 fai")])
    func `failures are red, and never cut within an escape sequence`(_ columns: Int, _ text: String) {
        let stream = MemoryOutput(isTerminal: true, columns: columns)
        let line = line(on: stream)
        line.show("")
        time.pass(500)
        line.show("1 of 9, 2 failed, 3", failures: "2 failed", in: OutputStyle(isColored: true, columns: nil))
        #expect(stream.text == "\r\u{1b}[K\(text)")
    }

    @Test func `truncates and sanitizes a line`() {
        let stream = MemoryOutput(isTerminal: true, columns: 6)
        let line = line(on: stream)
        line.show("")
        time.pass(500)
        line.show("12\u{1b}345678")
        #expect(!stream.text.dropFirst(4).contains("\u{1b}"))
        #expect(stream.text.dropFirst(4).count <= 5)
    }

    @Test func `the line is erased before anything is written, and does not appear before queued output`() async throws
    {
        let terminal = SlowTerminal()
        let line = line(on: terminal.stream)
        line.show("0 of 9")
        time.pass(500)
        line.show("1 of 9")
        let output = TerminalOutput.erasing(line, before: terminal)
        let queue = output.makeQueue(mayBeClosed: false)
        try await queue.write(Array("queued\n".utf8))
        time.pass(500)
        line.show("2 of 9")
        try await queue.drain()
        line.show("3 of 9")
        try output.write(Array("written\n".utf8))
        let erase = "\r\u{1b}[K"
        #expect(
            terminal.stream.text == "\(erase)1 of 9\(erase)queued\n\(erase)3 of 9\(erase)written\n"
        )
    }

    @Test(arguments: [(true, false), (false, true), (false, false)])
    func `a stream that cannot show the line is used as it is`(_ outputIsTerminal: Bool, _ lineIsOnTerminal: Bool) {
        let line = line(on: MemoryOutput(isTerminal: lineIsOnTerminal))
        let stream = MemoryOutput(isTerminal: outputIsTerminal)
        #expect(TerminalOutput.erasing(line, before: stream) is MemoryOutput)
    }
}

/// A terminal that shows queued output only when the queue is drained.
private final class SlowTerminal: StandardOutput {
    let stream = MemoryOutput(isTerminal: true, columns: 80)

    var isTerminal: Bool { true }
    var terminalSize: TerminalSize? { stream.terminalSize }
    var hasLostReader: Bool { false }

    func waitForLostReader() async throws(VTError) {}

    func checkIsWritable() throws(VTError) {}

    func write(_ bytes: [UInt8]) throws(VTError) { try stream.write(bytes) }

    func close() throws(VTError) {}

    func makeQueue(mayBeClosed: Bool) -> any OutputQueue { Queue(stream: stream) }

    private final class Queue: OutputQueue {
        private let stream: MemoryOutput
        private let state = Mutex((pending: [UInt8](), written: UInt64(0)))

        init(stream: MemoryOutput) {
            self.stream = stream
        }

        var hasLostReader: Bool { false }
        var writtenBytes: UInt64 { state.withLock { $0.written } }

        func write(_ bytes: [UInt8]) async throws(VTError) { state.withLock { $0.pending += bytes } }

        func drain() async throws(VTError) {
            let bytes = state.withLock { state in
                state.written += UInt64(state.pending.count)
                defer { state.pending = [] }
                return state.pending
            }
            try stream.write(bytes)
        }

        func finish() async throws(VTError) { try await drain() }
    }
}
