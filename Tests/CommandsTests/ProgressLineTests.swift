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

    @Test func `truncates and sanitizes a line`() {
        let stream = MemoryOutput(isTerminal: true, columns: 6)
        let line = line(on: stream)
        line.show("")
        time.pass(500)
        line.show("12\u{1b}345678")
        #expect(!stream.text.dropFirst(4).contains("\u{1b}"))
        #expect(stream.text.dropFirst(4).count <= 5)
    }
}
