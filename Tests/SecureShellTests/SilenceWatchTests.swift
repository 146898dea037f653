import NIOCore
import Testing

@testable import SecureShell

struct SilenceWatchTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    /// A watch on a virtual clock, with the time when data last arrived from the peer.
    private struct Link {
        var watch: SilenceWatch
        var now = start
        var lastAnswer = start

        init(_ interval: TimeAmount, count: Int = 3) {
            watch = SilenceWatch(interval: interval, count: count)
        }

        mutating func tick(after delay: TimeAmount, hasUnreadBytes: Bool = false) -> SilenceWatch.Step {
            now = now + delay
            return watch.step(at: now, lastAnswer: lastAnswer, hasUnreadBytes: hasUnreadBytes)
        }

        mutating func ask(answeredAfter latency: TimeAmount? = nil) {
            watch.recordRequest(at: now)
            if let latency { lastAnswer = now + latency }
        }
    }

    @Test(arguments: [1, 2, 3])
    func `keeps a connection that answers every request, even if the timer fires late`(_ count: Int) {
        var link = Link(.seconds(15), count: count)
        for _ in 0..<50 {
            #expect(link.tick(after: .seconds(15) + .milliseconds(2)) == .ask)
            link.ask(answeredAfter: .microseconds(50))
        }
    }

    @Test func `a tick that is too early waits for the rest of the interval`() {
        var link = Link(.seconds(15))
        #expect(link.tick(after: .seconds(9)) == .wait(.seconds(6)))
    }

    @Test func `the connection to a peer that never answers is lost after the given number of intervals`() {
        var link = Link(.seconds(15))
        #expect(link.tick(after: .seconds(15)) == .ask)
        link.ask()
        #expect(link.tick(after: .seconds(15)) == .ask)
        link.ask()
        #expect(link.tick(after: .seconds(15)) == .giveUp(.seconds(45)))
    }

    @Test func `the peer has one interval to answer the first request`() {
        var link = Link(.seconds(15), count: 1)
        #expect(link.tick(after: .seconds(15)) == .ask)
        link.ask()
        #expect(link.tick(after: .seconds(15)) == .giveUp(.seconds(30)))
    }

    @Test func `a request that was not sent does not count`() {
        var link = Link(.milliseconds(100))
        for _ in 0..<100 { #expect(link.tick(after: .milliseconds(100)) == .ask) }
    }

    @Test func `a reply to an earlier request restarts the count`() {
        var link = Link(.seconds(15))
        for _ in 0..<10 {
            #expect(link.tick(after: .seconds(15)) == .ask)
            link.ask()
            #expect(link.tick(after: .seconds(15)) == .ask)
            link.ask(answeredAfter: .seconds(1))
            #expect(link.tick(after: .seconds(15)) == .wait(.seconds(1)))
            #expect(link.tick(after: .seconds(1)) == .ask)
            link.lastAnswer = link.now
        }
    }

    @Test func `keeps the connection while there are unread bytes`() {
        var link = Link(.seconds(15))
        _ = link.tick(after: .seconds(15))
        link.ask()
        for _ in 0..<10 { #expect(link.tick(after: .seconds(15), hasUnreadBytes: true) == .wait(.seconds(15))) }
        #expect(link.tick(after: .seconds(15)) == .ask)
    }

    @Test func `keeps the connection when this process was suspended for a long time`() {
        var link = Link(.seconds(15))
        _ = link.tick(after: .seconds(15))
        link.ask()
        #expect(link.tick(after: .hours(8)) == .ask)
    }
}
