import Testing

@testable import SessionHost

@Suite struct MarkScannerTests {
    private static let token = "0123456789abcdef"

    /// The output and the marks of a stream that arrives in pieces of this length.
    private func scan(_ stream: [UInt8], by length: Int, releasing: Bool) -> (output: [UInt8], marks: [String]) {
        var scanner = MarkScanner(token: Self.token)
        var (output, marks) = ([UInt8](), [String]())
        for start in stride(from: 0, to: stream.count, by: length) {
            let bytes = scanner.pending + stream[start...].prefix(length)
            for item in unsafe bytes.withUnsafeBytes({ unsafe scanner.scan($0) }) {
                switch item {
                case .output(let range): output += bytes[range]
                case .mark(let payload): marks.append(payload)
                case .assumedMark: Issue.record("a mark of a typed line")
                }
            }
            if releasing, scanner.isDoubtful { output += scanner.release() }
        }
        if scanner.isDoubtful { output += scanner.release() }
        return (output, marks)
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `marks are removed from the output wherever it is split`(_ length: Int) {
        let mark = "\u{1B}]133;\(Self.token);"
        let text =
            "a\u{1B}[1m\(mark)A;/tmp\u{07}b\u{1B}]0;open\(mark)D;3;7\u{07}\u{1B}\(mark)C;1;\u{07}"
            + "\u{1B}]133;wrong;D;0\u{07}\u{1B}]133;\(Self.token)x\(mark)bad\n\u{07}end\u{1B}"
        let (output, marks) = scan(Array(text.utf8), by: length, releasing: false)
        #expect(marks == ["A;/tmp", "D;3;7", "C;1;"])
        let expected =
            "a\u{1B}[1mb\u{1B}]0;open\u{1B}\u{1B}]133;wrong;D;0\u{07}\u{1B}]133;\(Self.token)x\(mark)bad\n\u{07}end\u{1B}"
        #expect(String(decoding: output, as: UTF8.self) == expected)
    }

    @Test func `a mark counts even if its start has been passed on as output`() {
        let text = "a\u{1B}]133;\(Self.token);B;1\u{07}b"
        let (output, marks) = scan(Array(text.utf8), by: 1, releasing: true)
        #expect(marks == ["B;1"])
        #expect(String(decoding: output, as: UTF8.self).hasPrefix("a\u{1B}"))
        #expect(output.last == UInt8(ascii: "b"))
    }

    @Test(arguments: [1, 2, 5, 1000])
    func `a token that a mark announces counts once, and only for the end of a command`(_ length: Int) {
        func mark(_ payload: String, _ token: String = Self.token) -> String { "\u{1B}]133;\(token);\(payload)\u{07}" }
        let text =
            mark("D;1", "abc") + mark("T;abc;7") + mark("C;1;") + mark("D;2", "abc") + mark("D;3", "abc")
            + mark("T;x;7") + mark("T;y;7") + mark("D;4", "x") + mark("A", "y") + mark("D;5", "y")
            // A command of one shell is another shell.
            + mark("T;o;7") + mark("T;i;8") + mark("D;6", "i") + mark("T;j;8") + mark("D;7", "o")
        let (output, marks) = scan(Array(text.utf8), by: length, releasing: false)
        #expect(marks == ["C;1;", "D;2", "D;6", "D;7"])
        let expected = mark("D;1", "abc") + mark("D;3", "abc") + mark("D;4", "x") + mark("D;5", "y")
        #expect(String(decoding: output, as: UTF8.self) == expected)
    }
}
