import Core
import Runtime
import Testing
@testable import Services

struct MarkedSinkTests {
    private static let text = Array("Welcome\u{1E}v to web\u{1E}".utf8) + RemoteVTCommand.marker + Array("{}\n".utf8)

    @Test(arguments: 1...text.count)
    func `forwards the output after the marker, however it is split`(_ size: Int) async throws {
        let output = BoundedSink(limitBytes: 100)
        let sink = MarkedSink(output, from: "web")
        var rest = Self.text[...]
        while !rest.isEmpty {
            try await sink.write(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        #expect(output.text == "{}\n")
    }

    @Test func `limits the amount of output before the marker`() async throws {
        let sink = MarkedSink(BoundedSink(limitBytes: 100), from: "web")
        let error = await #expect(throws: VTError.self) {
            for _ in 0..<100 { try await sink.write([UInt8](repeating: 0x79, count: 64 << 10)) }
        }
        #expect(error?.code == .protocolViolation)
    }
}
