import Core
import Testing

@Suite struct ProcessAnnouncementTests {
    private static let output = Array("motd\nvt-process-n-123-4567,out, put".utf8)

    @Test(arguments: 1...output.count)
    func `the announcement is found and removed, however the output is split`(_ size: Int) {
        var announcement = ProcessAnnouncement("n")
        var passed: [UInt8] = []
        for start in stride(from: 0, to: Self.output.count, by: size) {
            passed += announcement.split(Array(Self.output[start..<min(start + size, Self.output.count)]))
        }
        #expect(String(decoding: passed + announcement.rest(), as: UTF8.self) == "motd\nout, put")
        #expect(announcement.process?.id == 123)
        #expect(announcement.process?.startTime == "4567")
    }

    @Test func `output without an announcement is passed on completely`() {
        var announcement = ProcessAnnouncement("n")
        var passed: [UInt8] = []
        let pieces = Array(repeating: Array(repeating: UInt8(ascii: "v"), count: 5000), count: 20)
        for piece in pieces { passed += announcement.split(piece) }
        #expect(passed + announcement.rest() == Array(pieces.joined()))
        #expect(announcement.process == nil)
    }

    @Test(arguments: ["1-", "1-2"])
    func `a process has an ID and, with proc(5), a start time`(_ text: String) {
        #expect(ProcessAnnouncement.Process(text)?.id == 1)
    }

    @Test(arguments: ["", "-", "-1", "1", "1-2-3", "a-1", "1-a", "99999999999-1"])
    func `malformed processes are rejected`(_ text: String) {
        #expect(ProcessAnnouncement.Process(text) == nil)
    }
}
