import Core
import Foundation
import SessionHost
import TestSupport
import Testing

struct HolderProtocolTests {
    private let lab: HolderLab

    init() throws {
        lab = try HolderLab()
    }

    /// The frozen part of the protocol, byte for byte, which every later version must support.
    @Test func `a holder of any version sends hello, reports its record and kills`() async throws {
        let record = try await lab.create("x", "sleep 1000")
        let client = try await HolderClientConnection(lab.files(record), greets: false)
        try client.send([0, 0, 0, 16, 1, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x39])
        guard case .hello(SessionFrame.protocolNumber, _, "0.0.0-test") = try await client.next() else {
            Issue.record("no greeting")
            return
        }
        try client.send([0, 0, 0, 1, 2])
        guard case .record(let session) = try await client.next() else {
            Issue.record("no record")
            return
        }
        #expect(session.name == "x")
        try client.send([0, 0, 0, 14, 18, 0, 80, 0, 24] + [UInt8](repeating: 0, count: 9))
        #expect(try await client.next().failureCode == .protocolViolation)
        try client.send([0, 0, 0, 6, 3, 0, 0, 0, 3, 0xe8])
        #expect(try await client.next() == .killed(survivors: []))
        let ended = try await lab.end(of: record)
        #expect(ended.state == .exited)
    }

    @Test func `a client that does not send hello in time is disconnected`() async throws {
        let record = try await lab.create("x", "sleep 1000")
        let client = try await HolderClientConnection(lab.files(record), greets: false)
        let start = ContinuousClock.now
        #expect(try await client.nextOrEnd() == nil)
        #expect(ContinuousClock.now - start > .seconds(1.5))
    }

    @Test(
        arguments: [
            [0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff, 1], [0x00, 0x40, 0x00, 0x01, 1],
            Array("GET / HTTP/1.1\r\n\r\n".utf8),
        ] as [[UInt8]]
    )
    func `an invalid frame ends only its connection`(_ bytes: [UInt8]) async throws {
        let record = try await lab.create("x", "sleep 1000")
        let client = try await HolderClientConnection(lab.files(record), greets: false)
        try client.send(bytes)
        #expect(try await client.next().failureCode == .protocolViolation)
        #expect(try await client.nextOrEnd() == nil)
        _ = try await HolderClientConnection(lab.files(record))
    }

    @Test func `a client that does not start with hello receives an error`() async throws {
        let record = try await lab.create("x", "sleep 1000")
        let client = try await HolderClientConnection(lab.files(record), greets: false)
        try client.send(.status)
        #expect(try await client.next().failureCode == .protocolViolation)
        #expect(try await client.nextOrEnd() == nil)
    }

    @Test func `arbitrary frames do not crash a holder`() async throws {
        let record = try await lab.create("x", "stty raw -echo; echo ready; cat >/dev/null")
        #expect(try await lab.output(of: record, holds: "ready"))
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let client = try await HolderClientConnection(lab.files(record))
            for _ in 0..<4 {
                let kinds: [UInt8] = [1, 2, 4, 5, 6, 16, 17, 18, 19, 29, 30, 32, 33, 39, 99]
                let payload = (0..<Int.random(in: 0..<80)).map { _ in UInt8.random(in: 0...255, using: &generator) }
                var frame: [UInt8] = []
                frame.appendUInt32(UInt32(payload.count + 1))
                // The holder may disconnect after any frame.
                try? client.send(frame + [kinds.randomElement() ?? 1] + payload)
            }
        }
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.status)
        guard case .record = try await client.next() else {
            Issue.record("no record")
            return
        }
    }

    @Test func `accepts frames that arrive byte by byte`() async throws {
        let record = try await lab.create("x", "sleep 1000")
        let client = try await HolderClientConnection(lab.files(record), greets: false)
        let hello = SessionFrame.hello(protocolNumber: 1, features: 0, version: "1")
        for byte in hello.encoded + SessionFrame.status.encoded { try client.send([byte]) }
        guard case .hello = try await client.next(), case .record = try await client.next() else {
            Issue.record("no replies")
            return
        }
    }

    @Test func `more connections than the holder accepts do not block it`() async throws {
        let record = try await lab.create("x", "sleep 1000")
        var clients: [HolderClientConnection] = []
        for _ in 0..<300 { clients.append(try await HolderClientConnection(lab.files(record), greets: false)) }
        clients = []
        _ = try await HolderClientConnection(lab.files(record))
    }

    @Test func `a holder renames its session, unless the name is in use`() async throws {
        let record = try await lab.create("first", "sleep 1000")
        _ = try await lab.create("second", "sleep 1000")
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.rename("second"))
        #expect(try await client.next().failureCode == .exists)
        try client.send(.rename("not a name"))
        #expect(try await client.next().failureCode == .usage)
        try client.send(.rename("third"))
        #expect(try await client.next() == .done)
        #expect(try lab.host.session("third").id == record.id)
        #expect(throws: VTError.self) { try lab.host.session("first") }
    }
}
