import Core
import Testing

@Suite struct JSONOutlineTests {
    private func parse(_ text: String) throws -> JSONOutline {
        try JSONOutlineParser.parse(Array(text.utf8))
    }

    @Test func `returns the lines and byte ranges of values`() throws {
        let text = "{\n  \"a\": 1,\n  \"b\": [\n true, {\"c\": null}]\n}\n"
        let members = try #require(try parse(text).members)
        #expect(members.map(\.name) == ["a", "b"])
        #expect(members.map(\.value.line) == [2, 3])
        #expect(Array(text.utf8)[members[0].range].elementsEqual("\"a\": 1".utf8))
        guard case .array(let elements) = members[1].value.content else { throw NotAnArray() }
        #expect(elements.map(\.line) == [4, 4])
    }

    private struct NotAnArray: Error {}

    @Test(arguments: [
        "0", "-0.5e+10", "1E2", "\"\\u00e9\\n\\\\\\\"é\"", "[]", "{}", " [ 1 , 2 ] ", "{\"a\":{\"a\":1}}", "true",
    ])
    func `accepts valid JSON`(text: String) throws {
        _ = try parse(text)
    }

    @Test(arguments: [
        "", " ", "01", "+1", "1.", ".5", "1e", "nul", "tru e", "[1,]", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "[1 2]",
        "\"a", "\"\\x\"", "\"\\u12g4\"", "\"a\nb\"", "1 2", "[", "{\"a\":1,\"a\":2}", "'a'", "// c\n1", "\u{feff}1",
    ])
    func `rejects invalid JSON`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try parse(text) }
    }

    @Test func `reports the line of an error`() {
        let failure = #expect(throws: JSONSyntaxError.self) { try parse("{\n\"a\": 1,\n\"b\" 2\n}") }
        #expect(failure == JSONSyntaxError(line: 3, message: "expected ':' after 'b'"))
    }

    @Test func `rejects bytes that are not UTF-8`() {
        #expect(throws: JSONSyntaxError.self) { try JSONOutlineParser.parse([0x22, 0xff, 0x22]) }
    }

    @Test func `limits the nesting depth`() {
        #expect(throws: JSONSyntaxError.self) { try parse(String(repeating: "[", count: 100_000)) }
    }
}
