import Testing

import TestSupport

@testable import Core

struct NameRangesTests {
    @Test(arguments: [
        ([], ""), (["web"], "web"), (["web", "web"], "web"), (["web1", "web1"], "web1"), (["web", "db"], "db,web"),
        (["web2", "web10", "web1"], "web[1-2,10]"),
        (["web08", "web09", "web10"], "web[08-10]"), (["web9", "web10"], "web[9-10]"),
        (["web9", "web010"], "web[9,010]"),
        (["a1.x", "a2.x", "a2.y"], "a[1-2].x,a2.y"),
        (["r1-n1", "r1-n2", "r10-n1", "r2-n1"], "r1-n[1-2],r2-n1,r10-n1"),
        (["ann@10.0.0.1", "ann@10.0.0.2"], "ann@10.0.0.1,ann@10.0.0.2"), (["1", "2"], "[1-2]"),
        (["x999999999999999999", "x1000000000000000000"], "x999999999999999999,x1000000000000000000"),
        (["web-1.a", "web-2.a", "web-3.a", "web-3.b", "x"], "web-[1-3].a,web-3.b,x"),
        (["s2", "s10", "s1x5", "s1x4", "s1", "s"], "s,s[1-2,10],s1x[4-5]"),
    ])
    func `folds names`(names: [String], expected: String) {
        #expect(NameRanges.folded(names) == expected)
    }

    @Test(arguments: [
        ("web[1-3,7]", ["web1", "web2", "web3", "web7"]), ("[08-10]x", ["08x", "09x", "10x"]),
        ("web[1]", ["web1"]), ("web[099-101]", ["web099", "web100", "web101"]),
    ])
    func `expands ranges`(text: String, names: [String]) throws {
        #expect(try NameRanges.expanded(text) == names)
    }

    @Test(arguments: ["web", "[::1]", "ann@[1-2]", "web[a-b]", "web[1", "web1]", "web[1-2]:s", "web[1-2][3]"])
    func `other texts are not ranges`(text: String) throws {
        #expect(try NameRanges.expanded(text) == nil)
    }

    @Test(arguments: [
        "web[]", "web[1-]", "web[-1]", "web[3-1]", "web[1-2-3]", "web[1,,2]", "web[1-10001]", "web[1-9999,1-2]",
        "web[1-99999999999999999999]", "web[0-999999999999999999]",
    ])
    func `invalid ranges are errors`(text: String) {
        #expect(throws: VTError.self) { try NameRanges.expanded(text) }
    }

    @Test func `each name that was folded is expanded again`() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let names = Set(
                (0..<8).map { _ in
                    let zeros = String(repeating: "0", count: .random(in: 0...1, using: &generator))
                    return "w\(zeros)\(Int.random(in: 0..<120, using: &generator))"
                }
            )
            let folded = NameRanges.folded(Array(names))
            let again = try #require(try NameRanges.expanded(names.count > 1 ? folded : "w[\(folded.dropFirst())]"))
            #expect(Set(again) == names, "\(folded)")
        }
    }

    @Test func `numbers count by value in the natural order`() {
        let sorted = ["", "a", "a0", "a01", "a1", "a2", "a2b", "a10", "a10.1", "a10.9", "a10.11", "b"]
        #expect(sorted.shuffled().sorted { $0.naturallyPrecedes($1) } == sorted)
    }
}
