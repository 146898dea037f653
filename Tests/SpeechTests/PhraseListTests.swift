import Core
import Speech
import Testing

struct PhraseListTests {
    private static func list(_ text: String) -> PhraseList { PhraseList(Array(text.utf8)) }

    private static let list = list(
        """
        # commands
        list files\tls
        list all files\tls -la

        don't stop\tfg
        log twenty-one\ttail -n 21
        show 105 lines\ttail -n 105
        port 8080\tss -ltn
        wait 1000 seconds\tsleep 1000

        """
    )

    @Test(arguments: [
        ("list files", "ls"), ("List   FILES.", "ls"), ("list, all: files!", "ls -la"), ("Don’t stop", "fg"),
        ("dont stop", "fg"), ("log 21", "tail -n 21"), ("Log twenty one", "tail -n 21"),
        ("show one hundred and five lines", "tail -n 105"), ("show one hundred five lines", "tail -n 105"),
        ("port eight thousand eighty", "ss -ltn"), ("wait 1,000 seconds", "sleep 1000"),
        ("Wait one thousand seconds", "sleep 1000"),
    ])
    func `case, punctuation, spaces and the form of numbers do not matter`(_ spoken: String, _ text: String) {
        #expect(Self.list.problems == [])
        #expect(Self.list.phrase(matching: spoken)?.text == text)
    }

    @Test(arguments: [
        "list", "files", "please list files for me", "list files list files", "do not list files", "listfiles", "",
        "port 80 80", "log 22", "list file", "show one hundred and lines",
    ])
    func `a part of a phrase, and a phrase in a sentence, do not match`(_ spoken: String) {
        #expect(Self.list.phrase(matching: spoken) == nil)
    }

    @Test(arguments: [
        ("list files ls", [1]), ("a\tx\n\n# c\n A.\ty\nb", [4, 5]), ("\tls", [1]), ("...\tls", [1]), ("a\t", [1]),
        ("a\tb\tc", [1]), ("a\tb\u{1b}[A", [1]), ("a\tb\u{202e}", [1]), ("21\tx\ntwenty one\ty", [2]),
        ("\u{feff}a\tb\r\nc\td\r\n", []), ("", [1]), ("# c\n\n", [1]),
    ])
    func `problems have the number of their line`(_ text: String, _ lines: [Int]) {
        #expect(Self.list(text).problems.map(\.line) == lines)
    }

    @Test func `each line must be UTF-8`() {
        let list = PhraseList(Array("a\tb\nc\t".utf8) + [0xFF])
        #expect(list.problems.map { "\($0.line): \($0.message)" } == ["2: the line is not UTF-8"])
    }

    @Test func `a grammar contains each phrase`() {
        let list = Self.list("List all files.\tx\ndon't stop\ty\nline 21\tz\nc++\tw\napp.log\tv\n3d view\tu\n")
        #expect(list.grammarProblems.map(\.line) == [4, 5, 6])
        let grammar = "#JSGF V1.0;\ngrammar c;\npublic <c> = list all files | don't stop | line twenty one;\n"
        #expect(String(decoding: list.grammar, as: UTF8.self) == grammar)
    }

    @Test func `random lists never trap, and each phrase matches itself`() {
        let pieces = [
            "a", "one", "1,000", "21", "hundred", "and", "\t", "\n", "'", "#", "\u{301}", "007", "  ", "9999999",
        ]
        for _ in 0..<2000 {
            let list = Self.list((0..<30).compactMap { _ in pieces.randomElement() }.joined())
            for phrase in list.phrases { #expect(list.phrase(matching: phrase.phrase) == phrase) }
            _ = (list.grammar, list.grammarProblems)
        }
    }
}
