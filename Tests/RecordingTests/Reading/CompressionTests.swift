import Core
import Recording
import TestSupport
import Testing

struct CompressionTests {
    private static let text = AsciicastReaderTests.v3 + #"[1, "o", "a"]"# + "\n" + #"[1, "o", "b"]"# + "\n"

    private static func compressed(_ text: String) async throws -> [UInt8] {
        try await ProgramCall("gzip", ["-c"]).run(input: Array(text.utf8)).output
    }

    @Test(arguments: [1, 5, 65_536])
    func `reads a compressed recording`(_ piece: Int) async throws {
        let bytes = try await Self.compressed(Self.text)
        #expect(try ReadRecording(bytes, piece: piece) == ReadRecording(Self.text))
    }

    @Test(arguments: [1, 5, 65_536])
    func `reads consecutive members as one recording, and ignores zeros after them`(_ piece: Int) async throws {
        let middle = Self.text.utf8.count / 2
        var bytes = try await Self.compressed(String(decoding: Self.text.utf8.prefix(middle), as: UTF8.self))
        bytes += try await Self.compressed("")
        bytes += try await Self.compressed(String(decoding: Self.text.utf8.dropFirst(middle), as: UTF8.self))
        bytes += [0, 0, 0]
        #expect(try ReadRecording(bytes, piece: piece) == ReadRecording(Self.text))
    }

    @Test(arguments: [9, 10], [1, 65_536])
    func `reads a truncated file as far as possible, with a note`(_ missing: Int, _ piece: Int) async throws {
        let bytes = Array(try await Self.compressed(Self.text).dropLast(missing))
        let recording = try ReadRecording(bytes, piece: piece)
        #expect(recording?.texts.first == "1.0 o a")
        #expect(recording?.notes.first == "the compressed data is truncated")
        #expect(try ReadRecording(bytes, .lenient, piece: piece) == recording)
    }

    @Test func `reads all events of a long truncated recording`() async throws {
        let line = #"[1, "o", "\#(String(repeating: "x", count: 300))"]"# + "\n"
        let text = AsciicastReaderTests.v3 + String(repeating: line, count: 1000)
        let recording = try ReadRecording(Array(try await Self.compressed(text).dropLast(8)))
        #expect(recording?.events.count == 1000)
        #expect(recording?.notes == ["the compressed data is truncated"])
    }

    @Test func `truncation in the header is an error`() async throws {
        let bytes = Array(try await Self.compressed(Self.text).prefix(20))
        #expect(throws: VTError(.dataInvalid, "the compressed data is truncated")) { try ReadRecording(bytes) }
    }

    @Test func `corrupt data is an error`() async throws {
        var bytes = try await Self.compressed(Self.text)
        bytes[bytes.count - 6] ^= 1
        #expect(throws: VTError(.dataInvalid, "the compressed data is corrupt")) { try ReadRecording(bytes) }
        let trailing = try await Self.compressed(Self.text) + Array("junk".utf8)
        let message = "unexpected data after the compressed data"
        #expect(throws: VTError(.dataInvalid, message)) { try ReadRecording(trailing) }
        #expect(try ReadRecording(trailing, .lenient)?.events.count == 2)
    }

    @Test func `a decompression bomb is rejected at the line limit`() async throws {
        let zeros = String(repeating: " ", count: 64 << 20)
        let bytes = try await Self.compressed(AsciicastReaderTests.v3 + zeros)
        #expect(bytes.count < 1 << 20)
        let error = #expect(throws: VTError.self) { try ReadRecording(bytes) }
        #expect(error?.message == "line 2: the line is longer than 16 MiB")
    }

    @Test func `rejects zstd with a hint`() {
        let error = #expect(throws: VTError.self) { try ReadRecording([0x28, 0xB5, 0x2F, 0xFD, 0x00]) }
        #expect(error?.code == .dataInvalid)
        #expect(error?.hint?.contains("zstd -dc FILE | vt cast convert -") == true)
    }
}
