import CoreTestSupport
import Core
import Foundation
import Recording
import TestSupport
import Testing

struct AppendedFileTests {
    private let scratch: ScratchDirectory
    private static let header = #"{"version": 3, "term": {"cols": 80, "rows": 24}}"# + "\n"
    private static let old = #"{"version": 2, "width": 80, "height": 24}"# + "\n"
    private static let added = """
        {"version": 3, "term": {"cols": 100, "rows": 30}, "timestamp": 5}
        [0.5, "o", "new"]
        [0.25, "x", "0"]

        """

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func append(to text: String, ending: (AppendedFile) async throws -> Void = { try await $0.finish() })
        async throws -> String
    {
        let path = try scratch.write(text, to: "a.cast")
        let file = try AppendedFile(path)
        for byte in Self.added.utf8 { try await file.write([byte]) }
        try await ending(file)
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test(arguments: ["", #"[0.1, "o", "torn"#, "[0", "[1.0, \"o\", \"a\\", "{", "garb"])
    func `times continue after the last complete line`(_ torn: String) async throws {
        let before = Self.header + "[1.5, \"o\", \"old\"]\n# comment\n"
        let text = try await append(to: before + torn)
        #expect(
            text == before + "[0.000, \"r\", \"100x30\"]\n[0.500, \"o\", \"new\"]\n[0.250, \"x\", \"0\"]\n"
        )
    }

    @Test func `appends in the format of the file`() async throws {
        let before = Self.old + "[1.5, \"o\", \"old\"]\n"
        let text = try await append(to: before)
        #expect(text == before + "[1.5, \"r\", \"100x30\"]\n[2.0, \"o\", \"new\"]\n[2.25, \"x\", \"0\"]\n")
    }

    @Test func `keeps a last line that has no line feed`() async throws {
        let before = Self.header + "[1.5, \"o\", \"old\"]"
        #expect(try await append(to: before).hasPrefix(before + "\n[0.000, \"r\""))
        #expect(try await append(to: String(Self.header.dropLast())).hasPrefix(Self.header + "[0.000, \"r\""))
    }

    @Test func `a failed append leaves the recording unchanged`() async throws {
        let before = Self.header + "[1.5, \"o\", \"old\"]\n"
        #expect(try await append(to: before) { await $0.discard() } == before)
    }

    @Test func `only one process can append at a time`() async throws {
        let path = try scratch.write(Self.header, to: "a.cast")
        let first = try AppendedFile(path)
        let error = try await failure { _ = try AppendedFile(path) }
        #expect(error.code == .busy)
        try await first.finish()
        try await AppendedFile(path).finish()
    }

    @Test(arguments: [
        ("", VTError.Code.notFound), ("nonsense\n", .dataInvalid), (#"{"version": 9}"# + "\n", .dataInvalid),
        (header + "[1, 2, 3]\n[0.1, \"o\", \"x\"]\n", .dataInvalid),
        (#"{"version": 1, "width": 80, "height": 24, "stdout": []}"#, .usage),
        ("{\"version\": 1, \"width\": 80,\n\"height\": 24, \"stdout\": []}\n", .usage),
        ("{\"version\": 1, \"width\": 80,\n\"height\": 24, \"stdout\": [", .dataInvalid),
    ])
    func `does not modify a file that it cannot append to`(_ text: String, _ code: VTError.Code) async throws {
        let path = try scratch.write(text, to: "a.cast")
        let error = try await failure { _ = try AppendedFile(path) }
        #expect(error.code == code)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func `does not follow symbolic links`() async throws {
        let path = try scratch.write(Self.header, to: "a.cast")
        try FileManager.default.createSymbolicLink(atPath: scratch.path("l"), withDestinationPath: path)
        let error = try await failure { _ = try AppendedFile(scratch.path("l")) }
        #expect(error.code == .io)
    }
}
