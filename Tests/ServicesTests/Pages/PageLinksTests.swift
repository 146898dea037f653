import Core
@testable import Services
import Testing

struct PageLinksTests {
    private let links = PageLinks(clock: ContinuousClock())

    private func make(_ change: (inout PageLink) -> Void = { _ in }) -> (link: PageLink, token: [UInt8]) {
        var link = PageLink()
        change(&link)
        let made = links.make(link, to: .recording("x.cast"))
        return (made.link, Array(made.token.utf8))
    }

    @Test func `a token opens its link and no other`() throws {
        let (first, second) = (make(), make { $0.role = .write })
        #expect(first.token.count == 32 && first.token != second.token)
        let access = try #require(try links.open(second.token, isPage: true))
        #expect((access.link, access.role, access.subject) == ("L2", .write, .recording("x.cast")))
        #expect(try links.open([], isPage: true) == nil)
        #expect(try links.open(Array(first.token.dropLast()), isPage: true) == nil)
        #expect(links.all().map(\.pages) == [0, 1])
        links.close("L2")
        #expect(links.all().map(\.pages) == [0, 0])
    }

    @Test func `a link for one use gives the first page a key`() throws {
        let token = make { $0.isOnce = true }.token
        // A client that is no page does not use it up.
        let error = #expect(throws: VTError.self) { try links.open(token, isPage: false) }
        #expect(error?.code == .authDenied)
        let key = try #require(try links.open(token, isPage: true)?.key)
        let used = #expect(throws: VTError.self) { try links.open(token, isPage: true) }
        #expect(used?.code == .exists)
        for _ in 0..<2 {
            let access = try #require(try links.open(Array(key.utf8), isPage: true))
            #expect(access.key == nil)
        }
    }

    @Test func `an expired link is unknown`() throws {
        let token = make { $0.expiresAt = Timestamp(seconds: Timestamp.now().seconds) }.token
        #expect(try links.open(token, isPage: true) == nil)
        #expect(links.all() == [])
    }

    @Test func `revoking ends the pages of a link`() async throws {
        let made = make()
        let access = try #require(try links.open(made.token, isPage: true))
        async let end = links.end(of: access)
        try links.revoke(made.link.id)
        #expect(try await end == .revoked)
        #expect(try links.open(made.token, isPage: true) == nil)
        #expect(throws: VTError.self) { try links.revoke(made.link.id) }
    }

    @Test func `an address is rejected after ten failures`() {
        let limit = LoginLimit()
        for _ in 0..<10 {
            #expect(limit.admits("a"))
            limit.recordFailure(of: "a")
        }
        #expect(!limit.admits("a"))
        #expect(limit.admits("b"))
    }
}
