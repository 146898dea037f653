import Core
import TestSupport
import Testing

@testable import SessionHost

struct RequestLogTests {
    private let scratch: ScratchDirectory
    private let path: String

    init() throws {
        scratch = try ScratchDirectory()
        path = scratch.path("requests")
    }

    private func id(_ number: Int) -> [UInt8] {
        Array(String(1_000_000_000_000_000 + number).utf8)
    }

    @Test func `the last state of a request is in the file`() throws {
        var log = RequestLog(path: path)
        #expect(RequestLog.state(of: id(1), in: path) == .unseen)
        try log.begin(id(1))
        try log.begin(id(2))
        log.end(id(2), .done)
        try log.begin(id(3))
        log.end(id(3), .unseen)
        for (number, state) in [(1, RequestState.begun), (2, .done), (3, .unseen), (4, .unseen)] {
            #expect(log.state(of: id(number)) == state)
            #expect(RequestLog.state(of: id(number), in: path) == state)
        }
        let later = RequestLog(path: path)
        #expect(later.state(of: id(1)) == .begun && later.state(of: id(2)) == .done)
    }

    @Test func `the last 256 requests are remembered, and the file does not grow without limit`() throws {
        var log = RequestLog(path: path)
        for number in 0..<3000 {
            try log.begin(id(number))
            log.end(id(number), .done)
        }
        #expect(log.state(of: id(2743)) == .unseen && log.state(of: id(2744)) == .done)
        #expect(RequestLog.state(of: id(2744), in: path) == .done)
        #expect(try scratch.read("requests").count < 100_000)
    }

    @Test func `a line that was not written completely does not count`() throws {
        var log = RequestLog(path: path)
        try log.begin(id(1))
        let bytes = try scratch.read("requests")
        _ = try scratch.write(bytes + Array("\(id(1).hexadecimal) do".utf8), to: "requests")
        #expect(RequestLog.state(of: id(1), in: path) == .begun)
    }
}
