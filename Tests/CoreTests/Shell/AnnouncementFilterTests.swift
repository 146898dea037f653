import Core
import Testing

@Suite struct AnnouncementFilterTests {
    @Test(arguments: 1...12)
    func `splits the output at the last announcement, regardless of the chunk size`(_ size: Int) {
        let text = Array("one-on begin-x two begin-xready ready-x three begin-x".utf8)
        var filter = AnnouncementFilter(["begin-x", "ready-x"])
        var (before, after): ([UInt8], [UInt8]) = ([], [])
        for start in stride(from: 0, to: text.count, by: size) {
            let parts = filter.split(Array(text[start..<min(start + size, text.count)]))
            before += parts.before
            after += parts.after
        }
        #expect(String(decoding: before, as: UTF8.self) == "one-on  two begin-xready ")
        #expect(String(decoding: after, as: UTF8.self) == " three begin-x")
        #expect(filter.isDone)
    }

    @Test func `holds back the start of an announcement that is never completed`() {
        var filter = AnnouncementFilter(["begin-x"])
        #expect(filter.split(Array("text beg".utf8)).before == Array("text ".utf8))
        #expect(filter.rest() == Array("beg".utf8))
        #expect(filter.seen == 0)
    }

    @Test func `splits nothing off if there are no announcements`() {
        var filter = AnnouncementFilter([])
        let (before, after) = filter.split([1, 2])
        #expect(before.isEmpty && after == [1, 2])
    }
}
