import Core
import CoreTestSupport
import Testing

@testable import Commands

struct EventPrinterTests {
    @Test func `a character that arrives byte by byte has the offset of its first byte`() async throws {
        let sink = MemorySink()
        let printer = EventPrinter(sink, plainFor: nil)
        for (index, byte) in "a€😀b".utf8.enumerated() {
            #expect(try await printer.output([byte], at: UInt64(10 + index)))
        }
        let events = [(10, "a"), (11, "€"), (14, "😀"), (18, "b")]
        let lines = events.map { #"{"event":"output","offset":\#($0),"text":"\#($1)"}"# + "\n" }.joined()
        #expect(String(decoding: sink.bytes, as: UTF8.self) == lines)
    }
}
