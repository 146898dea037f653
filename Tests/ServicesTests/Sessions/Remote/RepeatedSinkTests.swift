import Core
@testable import Services
import Synchronization
import Testing

struct RepeatedSinkTests {
    private final class Taken: ByteSink {
        let text = Mutex("")

        func write(_ bytes: [UInt8]) {
            text.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
        }
    }

    private let taken = Taken()

    @Test func `forwards complete lines, and the rest at the end`() async throws {
        let sink = RepeatedSink(taken, from: "web", isBinary: false)
        for part in ["one\ntw", "o\nthr", "ee"] { try await sink.write(Array(part.utf8)) }
        #expect(taken.text.withLock(\.self) == "one\ntwo\n")
        try await sink.finish()
        #expect(taken.text.withLock(\.self) == "one\ntwo\nthree")
    }
}
