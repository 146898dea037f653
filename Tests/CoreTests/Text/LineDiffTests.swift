import Core
import Testing

struct LineDiffTests {
    private static let numbers = (1...20).map(String.init)

    @Test func `hunks are those of diff`() {
        var new = Self.numbers
        new[4] = "five"
        new.remove(at: 15)
        new.append("21")
        let hunks = LineDiff(from: Self.numbers, to: new).hunks
        #expect(
            hunks == [
                ["@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8"],
                ["@@ -13,8 +13,8 @@", " 13", " 14", " 15", "-16", " 17", " 18", " 19", " 20", "+21"],
            ]
        )
    }

    @Test func `an empty text has no lines`() {
        #expect(LineDiff(from: [], to: ["a"]).hunks == [["@@ -0,0 +1 @@", "+a"]])
        #expect(LineDiff(from: ["a", "b"], to: []).hunks == [["@@ -1,2 +0,0 @@", "-a", "-b"]])
        #expect(LineDiff(from: ["a"], to: ["a"]).hunks == [])
    }

    @Test(arguments: 0..<60)
    func `a diff turns one text into the other`(seed: Int) {
        /// Few different lines, so that there are many ways to align the texts.
        func text(_ count: Int, _ factor: Int) -> [String] { (0..<count).map { String($0 * factor % 7 % 3) } }
        let (old, new) = (text(seed % 31, seed + 3), text(seed * 5 % 29, seed * 2 + 5))
        var result: [String] = []
        var rest = old[...]
        for hunk in LineDiff(from: old, to: new).hunks {
            let start = hunk[0].split(separator: " ")[1].dropFirst().split(separator: ",").map { Int($0) ?? 0 }
            // A hunk that removes nothing starts after the line with this number.
            let first = start[0] - (start.count == 2 && start[1] == 0 ? 0 : 1)
            result += rest.prefix(first - rest.startIndex)
            rest = rest.dropFirst(first - rest.startIndex)
            for line in hunk.dropFirst() {
                if line.hasPrefix("+") {
                    result.append(String(line.dropFirst()))
                } else {
                    #expect(rest.first == String(line.dropFirst()))
                    if line.hasPrefix(" ") { result.append(String(line.dropFirst())) }
                    rest = rest.dropFirst()
                }
            }
        }
        #expect(result + rest == new)
    }
}
