import Core
import Testing

@Suite struct JSONTableTests {
    private struct Part: JSONRecord {
        static let documentName = "part"
        static let documentSummary = "a part"

        static let fields: JSONTable<Self> = [
            .stored("name", \.name, "a required field"),
            .stored("numbers", \.numbers, "a field with a default", isRequired: false),
            .stored("note", \.note, "an optional field"),
            .field("length", \.name.utf8.count, "a field that is only written"),
            .stored("parts", \.parts, "fields of the same type", isRequired: false),
        ]

        var name = ""
        var numbers = [1]
        var note: String?
        var parts: [String: Part] = [:]
    }

    private func part(_ text: String) throws -> Part {
        let document = Array(text.utf8)
        return try Part(try JSONOutlineParser.parse(document), in: document)
    }

    @Test func `writes the fields in the order of their names, without those that are absent`() {
        let part = Part(name: "a\"\n\u{1b}\u{7f}\u{202e}é", numbers: [])
        #expect(
            String(decoding: part.json, as: UTF8.self)
                == #"{"length":10,"name":"a\"\n\u001b\u007f\u202eé","numbers":[],"parts":{}}"#
        )
    }

    @Test func `an indented document has one member or element per line`() {
        let part = Part(name: "a", numbers: [1, 2], parts: ["b": Part(name: "b", numbers: [])])
        let expected = """
            {
              "length" : 1,
              "name" : "a",
              "numbers" : [
                1,
                2
              ],
              "parts" : {
                "b" : {
                  "length" : 1,
                  "name" : "b",
                  "numbers" : [

                  ],
                  "parts" : {

                  }
                }
              }
            }

            """
        #expect(String(decoding: part.jsonDocument, as: UTF8.self) == expected)
    }

    @Test(
        arguments: [
            (#"{"name":"a"}"#, [1], nil), (#"{"note":"\u0062","numbers":[2,3],"name":"a"}"#, [2, 3], "b"),
            (#"{"later":{},"name":"a","note":null,"numbers":null,"length":"x"}"#, [1], nil),
        ] as [(String, [Int], String?)]
    )
    func `fields may have any order, and missing fields keep their values`(
        _ text: String,
        numbers: [Int],
        note: String?
    ) throws {
        let part = try part(text)
        #expect(part.name == "a")
        #expect(part.numbers == numbers)
        #expect(part.note == note)
    }

    @Test(arguments: [
        ("[]", "x is invalid", 1), ("{\n}", "x lacks 'name'", 1), ("{\n\"name\":1}", "'name' in x is invalid", 2),
        ("{\"name\":null}", "x lacks 'name'", 1),
        ("{\"name\":\"\",\"numbers\":[1,\n1.0]}", "'numbers' in x is invalid", 2),
        ("{\"name\":\"\",\n\"parts\":\n{\"b\":{}}}", "x lacks 'parts.b.name'", 3),
        ("{\"name\":\"\",\"parts\":{\"b\":{\"name\":\"\",\"note\":\n0}}}", "'parts.b.note' in x is invalid", 2),
    ])
    func `an error has the path and line of the field`(_ text: String, message: String, line: Int) throws {
        let error = try #require(#expect(throws: JSONValueError.self) { try part(text) })
        #expect(error.message(for: "x") == message)
        #expect(error.line == line)
    }

    @Test(arguments: [(0, "0"), (1.5, "1.5"), (-2, "-2"), (1e16, "1e+16"), (100_000_250, "100000250")])
    func `whole numbers have no fraction`(_ number: Double, text: String) {
        #expect(String(decoding: number.json, as: UTF8.self) == text)
    }
}
