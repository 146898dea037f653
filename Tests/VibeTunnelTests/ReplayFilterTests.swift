import Core
import TestSupport
import Testing

@testable import VibeTunnel

struct ReplayFilterTests {
    private static let clear = "\u{1B}[H\u{1B}[2J"

    private func text(_ result: ReplayFilter.Result) -> String { String(decoding: result.output, as: UTF8.self) }

    /// Passes the events to a filter, and returns the output.
    private func pass(_ events: [String], to filter: inout ReplayFilter, isHistory: Bool = false) -> String {
        events.map { text(filter.consume(Array($0.utf8), isHistory: isHistory)) }.joined()
    }

    @Test(arguments: [nil, true, false])
    func `a replay is removed, and what follows is shown`(_ cuts: Bool?) {
        var filter = ReplayFilter(cutsHistory: cuts)
        #expect(pass(["one ", "two "], to: &filter) == "one two ")
        for end in ["three ", "four ", "five "] {
            filter.begin()
            let before = ["one ", "two "] + (end == "three " ? [] : end == "four " ? ["three "] : ["three ", "four "])
            #expect(pass(before + [end], to: &filter) == end)
        }
    }

    @Test func `events of a replay can be split differently`() {
        var filter = ReplayFilter(cutsHistory: true)
        _ = pass(["abc", "def"], to: &filter)
        filter.begin()
        #expect(pass(["a", "bcd", "efgh", "i"], to: &filter) == "ghi")
    }

    @Test func `a server that cuts its history sends only what follows a clearing`() {
        var filter = ReplayFilter(cutsHistory: true)
        #expect(pass(["old", "x\(Self.clear)y", "new"], to: &filter) == "oldx\(Self.clear)ynew")
        filter.begin()
        #expect(pass(["new", " more"], to: &filter) == " more")
        filter.begin()
        #expect(pass(["new", " more", " still"], to: &filter) == " still")
    }

    @Test func `a server that does not cut its history repeats the clearing`() {
        var filter = ReplayFilter(cutsHistory: nil)
        #expect(pass(["old", Self.clear, "new"], to: &filter, isHistory: true) == "old\(Self.clear)new")
        filter.begin()
        #expect(pass(["old", Self.clear, "new", " more"], to: &filter, isHistory: true) == " more")
    }

    @Test func `it can be unknown whether a server cuts its history`() {
        var filter = ReplayFilter(cutsHistory: nil)
        _ = pass(["old", Self.clear, "new"], to: &filter)
        filter.begin()
        #expect(pass(["new", " more"], to: &filter) == " more")
        filter.begin()
        // Nothing follows the clearing, so that only a silence shows that the history is complete.
        _ = pass([Self.clear], to: &filter)
        filter.begin()
        #expect(text(filter.endHistory()) == "")
        #expect(pass(["next"], to: &filter) == "next")
    }

    @Test func `a replay that is different is shown`() {
        var filter = ReplayFilter(cutsHistory: true)
        _ = pass(["one", "two"], to: &filter)
        filter.begin()
        #expect(filter.consume(Array("on".utf8), isHistory: false) == .init())
        let result = filter.consume(Array("ly".utf8), isHistory: false)
        #expect(result.isDisconnected && text(result) == "only")
        filter.begin()
        #expect(pass(["onlythis"], to: &filter) == "this")
    }

    @Test func `long output is compared in blocks`() {
        var generator = SeededGenerator(seed: 7)
        let output = (0..<700_000).map { _ in UInt8.random(in: 32..<127, using: &generator) }
        var filter = ReplayFilter(cutsHistory: true)
        #expect(filter.consume(output, isHistory: false).output == output)
        filter.begin()
        var shown: [UInt8] = []
        for start in stride(from: 0, to: output.count, by: 4096) {
            shown += filter.consume(Array(output[start..<min(start + 4096, output.count)]), isHistory: false).output
        }
        #expect(shown == [])
        #expect(filter.consume([65], isHistory: false).output == [65])
        filter.begin()
        var changed = output
        changed[400_000] ^= 1
        let result = filter.consume(changed, isHistory: false)
        #expect(result.isDisconnected)
    }

    @Test func `random output with random cuts is shown once`() {
        var generator = SeededGenerator(seed: 26)
        for _ in 0..<200 {
            let events = (0..<60).map { _ in
                String(repeating: "ab", count: Int.random(in: 0...2, using: &generator))
                    + String(Int.random(in: 0...9, using: &generator))
            }
            var filter = ReplayFilter(cutsHistory: Bool.random(using: &generator) ? true : nil)
            var (shown, known) = ("", 0)
            while known < events.count {
                filter.begin()
                let end = Int.random(in: known...events.count, using: &generator)
                shown += pass(Array(events[..<end]), to: &filter)
                known = max(known, end)
            }
            #expect(shown == events.joined())
        }
    }
}

struct SessionOutputTests {
    private static func output(_ text: String, isHistory: Bool = false) -> StreamEvent {
        .output(Array(text.utf8), isHistory: isHistory)
    }

    private func text(_ items: [SessionOutput.Item]) -> String {
        items.map { item in
            if case .output(let bytes) = item { String(decoding: bytes, as: UTF8.self) } else { "<\(item)>" }
        }
        .joined()
    }

    private func pass(_ events: [StreamEvent], to output: inout SessionOutput) -> String {
        events.map { text(output.consume($0)) }.joined()
    }

    @Test func `the Go server sends the history twice`() {
        var output = SessionOutput(cutsHistory: nil)
        output.begin()
        let history = ["one\r\n", "two\r\n"]
        let events =
            [.header(nil)] + history.map { Self.output($0, isHistory: true) } + [.header(nil)]
            + history.map { Self.output($0) } + [Self.output("three\r\n"), .exit(0)]
        #expect(pass(events, to: &output) == "one\r\ntwo\r\nthree\r\n<exit(Optional(0))>")
    }

    /// Passes the events of subscriptions, as a client would subscribe; `overlap` events of the first one come twice,
    /// after `known` of them.
    private func follow(_ lines: [String], overlap: Int = 0, after known: Int = 0) -> (text: String, subscriptions: Int)
    {
        let events = lines.map { Self.output($0) }
        var output = SessionOutput(cutsHistory: true)
        output.begin()
        let repeated = events[..<known].suffix(overlap)
        let end = [StreamEvent.exit(0)]
        var shown = pass([.header(nil)] + events[..<known] + repeated + events[known...] + end, to: &output)
        let subscriptions = output.needsHistory ? 2 : 1
        if output.needsHistory {
            output.begin()
            shown += pass([.header(nil)] + events + end, to: &output)
        }
        return (shown.replacing("<exit(Optional(0))>", with: ""), subscriptions)
    }

    @Test(arguments: 1...10)
    func `events that arrive twice after the history are removed`(_ overlap: Int) {
        let lines = (0..<12).map { "this is line \($0)\r\n" }
        let result = follow(lines, overlap: overlap, after: 10)
        #expect(result.text == lines.joined() && result.subscriptions == 2)
    }

    @Test func `output that a program repeats is kept`() {
        let build = ["$ make\r\n", "compiling a\r\n", "compiling b\r\n", "this is the last line of a build\r\n"]
        for lines in [[String](repeating: ".", count: 20), build + build, build + build + build + ["$ "]] {
            #expect(follow(lines).text == lines.joined())
            for known in 1...lines.count {
                for overlap in 1...known {
                    #expect(follow(lines, overlap: overlap, after: known).text == lines.joined())
                }
            }
        }
    }

    @Test func `output that differs needs one subscription`() {
        let lines = ["a", "b", "a", "c", "b", "a", "b", "b "]
        let result = follow(lines)
        #expect(result.text == lines.joined() && result.subscriptions == 1)
    }

    @Test func `random output with an overlap is shown once`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let lines = (0..<12).map { _ in String(Int.random(in: 0...3, using: &generator)) }
            let known = Int.random(in: 1...12, using: &generator)
            let overlap = Int.random(in: 0...known, using: &generator)
            #expect(follow(lines, overlap: overlap, after: known).text == lines.joined())
        }
    }

    @Test func `output before the header comes again in the history`() {
        var output = SessionOutput(cutsHistory: true)
        output.begin()
        #expect(
            pass([Self.output("new"), .header(nil), Self.output("old "), Self.output("new")], to: &output) == "old new"
        )
        output.begin()
        #expect(pass([Self.output("!")], to: &output) == "")
        #expect(text(output.endHistory()) == "<disconnected>!")
    }
}
