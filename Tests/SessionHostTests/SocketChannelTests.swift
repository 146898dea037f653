import Core
import Foundation
import SessionHost
import TestSupport
import Testing

struct SocketChannelTests {
    @Test func `what a holder sent before it ended is read after a write that it did not receive`() async throws {
        let lab = try HolderLab()
        let record = try await lab.create("x", "read -r line")
        let channel = try await lab.host.connect(to: record.id)
        let hello = SessionFrame.hello(protocolNumber: SessionFrame.protocolNumber, features: 0, version: "0")
        try await channel.write(hello.encoded)
        let program = try #require(record.program)
        #expect(kill(program.processID, SIGKILL) == 0)
        _ = try await lab.end(of: record)
        #expect(await lab.isReleased(record.id))
        try await channel.write(SessionFrame.status.encoded)
        var received: [UInt8] = []
        while let bytes = try await channel.read() { received += bytes }
        var decoder = SessionFrameDecoder()
        decoder.append(received)
        guard case .hello = try decoder.next() else {
            Issue.record("no greeting in \(received)")
            return
        }
        await channel.close()
    }
}
