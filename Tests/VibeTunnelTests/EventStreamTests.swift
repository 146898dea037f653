import Core
import Testing

@testable import VibeTunnel

struct EventStreamTests {
    private static let stream =
        ":ok\n\ndata: {\"version\":2,\"width\":80,\"height\":24}\n\ndata: [0,\"o\",\"é\\r\\n\"]\r\n\r\n:heartbeat\n\n"
        + "event: session-update\ndata: {\"type\":\"git\"}\n\ndata:[1.5,\"r\",\"132x43\"]\n\ndata: a\ndata: b\n\n"
        + "data: [\"exit\",3,\"id\"]\n\n"

    private func events(splitAt piece: Int) throws -> [[UInt8]] {
        var decoder = EventStreamDecoder()
        var events: [[UInt8]] = []
        var rest = Array(Self.stream.utf8)[...]
        while !rest.isEmpty {
            events += try decoder.decode(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
        return events
    }

    @Test(arguments: [1, 2, 3, 5, 7, 64, 4096])
    func `events are the same however the stream is split`(_ piece: Int) throws {
        let texts = try events(splitAt: piece).map { String(decoding: $0, as: UTF8.self) }
        #expect(
            texts == [
                #"{"version":2,"width":80,"height":24}"#, #"[0,"o","é\r\n"]"#, #"[1.5,"r","132x43"]"#, "a\nb",
                #"["exit",3,"id"]"#,
            ]
        )
        #expect(
            try events(splitAt: piece).map { StreamEvent(legacy: $0) } == [
                .header(TerminalSize(columns: 80, rows: 24)), .output(Array("é\r\n".utf8), isHistory: true),
                .resize(try TerminalSize(parsing: "132x43")), nil, .exit(3),
            ]
        )
    }

    @Test func `a long event is an error`() {
        var decoder = EventStreamDecoder()
        #expect(throws: VTError.self) {
            for _ in 0..<5 { _ = try decoder.decode([UInt8](repeating: 97, count: 1 << 20)) }
        }
    }

    @Test(arguments: [
        (#"[1.5,"o",[104,105]]"#, StreamEvent.output(Array("hi".utf8), isHistory: false)),
        (#"[0,"i","x"]"#, nil), (#"[0,"r","0x0"]"#, nil), (#"["exit",-1,"a"]"#, .exit(-1)),
        (#"["exit",null]"#, .exit(nil)),
        ("[]", nil), ("7", nil), ("{", nil), (#"{"type":"git-status-update"}"#, nil),
    ])
    func `lines of the legacy protocol`(_ json: String, _ event: StreamEvent?) {
        #expect(StreamEvent(legacy: Array(json.utf8)) == event)
    }

    @Test(arguments: [
        (#"{"kind":"header","header":{"version":2,"width":80,"height":24}}"#, StreamEvent.header(.standard)),
        (#"{"kind":"header"}"#, .header(nil)), (#"{"kind":"resize","dimensions":"80x24"}"#, .resize(.standard)),
        (#"{"kind":"exit","exitCode":137}"#, .exit(137)), (#"{"kind":"exit"}"#, .exit(nil)), (#"{"kind":"new"}"#, nil),
        (#"{"type":"git-status-update"}"#, nil), ("", nil),
    ])
    func `events of the v3 protocol`(_ json: String, _ event: StreamEvent?) {
        #expect(StreamEvent(v3: Array(json.utf8)) == event)
    }
}
