import Core
import Testing

@Suite struct SessionFrameTests {
    static let token = [UInt8](0..<16)
    static let frames: [SessionFrame] = [
        .hello(protocolNumber: 1, features: 5, version: "0.1.0"),
        .status,
        .kill(signal: 9, graceMilliseconds: 3000),
        .attach(SessionFrame.Attachment(from: nil, isReadOnly: true, size: nil, token: token)),
        .attach(SessionFrame.Attachment(from: 77, isReadOnly: false, size: .standard, token: token)),
        .input(sequence: 3, isChecked: true, bytes: [0, 255, 10]),
        .resize(TerminalSize(columns: 132, rows: 43)),
        .resize(nil),
        .rename("build"),
        .killed(survivors: ["12 sleep", "13 sh"]),
        .attached(offset: 1 << 40, lastInput: 2, size: .standard),
        .output(offset: 12, bytes: [1, 2, 3]),
        .gap(from: 1, to: 1 << 33),
        .screen(offset: 4, bytes: [27]),
        .accepted(sequence: 9, offset: 10),
        .accepted(sequence: 9, offset: 10, isHidden: true),
        .resized(.standard),
        .done,
        .exit(.exited(3), offset: 99),
        .exit(.signalled(SignalName("KILL"), coreDumped: true), offset: 99),
        .failure(VTError(.notFound, "gone")),
        .failure(Self.error),
        .failure(VTError(.ended, "ended")),
        .call(Array("{}".utf8)),
        .data([0, 1]),
        .result([]),
        .note("a note", isDetail: true),
        .page(.login(token: [1, 2], key: [])), .page(.login(token: [1, 2], key: [3])),
        .page(.watch(token: token, name: "web:build")),
        .page(.shown(7)),
        .page(.key(sequence: 1, name: "C-c")),
        .page(.paste(sequence: 2, bytes: [10])),
        .page(.history(first: 1, count: 500)),
        .sentInput, .sent(SentInput([97], at: 3...5)), .force,
        .ask(QuestionRequest(.detach, "log in\u{1B}", timeout: .milliseconds(1500))), .ask(QuestionRequest(.refuse)),
        .suspend(.freeze), .suspend(.forcedPause), .page(.seek(1_000_000, .marker)),
        .page(.seek(nil, .none)),
        .page(.download),
        .page(.document(.rows, Array("{}".utf8))),
        .page(.watching(lastInput: 3, document: Array("{}".utf8))),
        .outdated,
    ]

    /// An error with all fields that a holder or a relay can set.
    private static var error: VTError {
        var error = VTError(.negative, "ended", hint: "look", causes: ["a", "b"], isTransient: true)
        error.startStatus = 127
        error.sessionEnd = .init(.noMatch, exit: .signalled(SignalName("KILL"), coreDumped: true))
        return error
    }

    @Test func `encoding and decoding preserve a record`() throws {
        let session = try SessionTests.record()
        var decoder = SessionFrameDecoder()
        decoder.append(SessionFrame.record(session).encoded)
        #expect(try decoder.next() == .record(session))
    }

    @Test func `an invalid record is an error`() {
        var decoder = SessionFrameDecoder()
        decoder.append([0, 0, 0, 3, 4, 123, 125])
        #expect { try decoder.next() } throws: { ($0 as? VTError)?.code == .config }
    }

    @Test(arguments: frames)
    func `encoding and decoding preserve a frame`(_ frame: SessionFrame) throws {
        var decoder = SessionFrameDecoder()
        decoder.append(frame.encoded)
        #expect(try decoder.next() == frame)
        #expect(try decoder.next() == nil)
    }

    @Test func `decodes frames from single bytes`() throws {
        var decoder = SessionFrameDecoder()
        var found: [SessionFrame] = []
        for byte in Self.frames.flatMap(\.encoded) {
            decoder.append([byte])
            while let frame = try decoder.next() { found.append(frame) }
        }
        #expect(found == Self.frames)
    }

    /// These bytes are frozen: every version of vt sends and accepts them.
    @Test func `the encoding of the frozen frames has not changed`() throws {
        #expect(
            SessionFrame.hello(protocolNumber: 1, features: 2, version: "x").encoded
                == [0, 0, 0, 16, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 120]
        )
        #expect(SessionFrame.status.encoded == [0, 0, 0, 1, 2])
        #expect(SessionFrame.kill(signal: 15, graceMilliseconds: 258).encoded == [0, 0, 0, 6, 3, 15, 0, 0, 1, 2])
        let session = try SessionTests.record()
        let length = session.json.count + 1
        let head = [0, 0, UInt8(length >> 8), UInt8(truncatingIfNeeded: length), 4]
        #expect(SessionFrame.record(session).encoded == head + session.json)
        #expect(SessionFrame.killed(survivors: ["a"]).encoded == [0, 0, 0, 6, 5, 0, 0, 0, 1, 97])
        #expect(
            SessionFrame.failure(VTError(.io, "b")).encoded[4...]
                .starts(with: [6, 0, 0, 0, 2, 105, 111, 0, 0, 0, 1, 98, 0, 0, 0, 0])
        )
    }

    @Test func `decodes the failures of early holders, and those with a code from a later version`() throws {
        var decoder = SessionFrameDecoder()
        decoder.append([0, 0, 0, 16, 6, 0, 0, 0, 2, 105, 111, 0, 0, 0, 1, 98, 0, 0, 0, 0])
        decoder.append([0, 0, 0, 15, 6, 0, 0, 0, 1, 63, 0, 0, 0, 1, 98, 0, 0, 0, 0])
        #expect(try decoder.next() == .failure(VTError(.io, "b")))
        #expect(try decoder.next() == .failure(VTError(.protocolViolation, "b")))
    }

    @Test func `to early versions, the end of a session is a negative result`() throws {
        let encoded = SessionFrame.failure(VTError(.ended, "b")).encoded
        #expect(encoded[4...].starts(with: [6, 0, 0, 0, 8] + Array("negative".utf8)))
        let negative = SessionFrame.failure(VTError(.negative, "b")).encoded
        #expect(encoded.dropLast() == negative.dropLast() && encoded.last == 1 && negative.last == 0)
    }

    @Test func `the head of an output frame matches the encoded frame`() {
        let whole = SessionFrame.output(offset: 300, bytes: [7, 8]).encoded
        #expect(SessionFrame.outputHead(offset: 300, count: 2) + [7, 8] == whole)
    }

    @Test func `skips unknown kinds`() throws {
        var decoder = SessionFrameDecoder()
        decoder.append([0, 0, 0, 3, 200, 1, 2] + SessionFrame.status.encoded)
        #expect(try decoder.next() == .status)
    }

    @Test(arguments: [[0, 0, 0, 0], [0, 64, 0, 1], [255, 255, 255, 255]] as [[UInt8]])
    func `a length out of bounds violates the protocol`(_ bytes: [UInt8]) {
        var decoder = SessionFrameDecoder()
        decoder.append(bytes)
        #expect(throws: VTError.self) { try decoder.next() }
    }

    @Test func `truncated payloads do not cause a trap`() throws {
        for frame in Self.frames {
            let bytes = frame.encoded
            for length in 5..<bytes.count {
                _ = try SessionFrame(kind: bytes[4], payload: bytes[5..<length])
            }
        }
        #expect(try SessionFrame(kind: 3, payload: [15, 0, 0]) == nil)
    }
}
