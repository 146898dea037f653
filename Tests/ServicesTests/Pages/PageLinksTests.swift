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
        let access = try #require(try links.open(second.token))
        #expect((access.link, access.role, access.subject) == ("L2", .write, .recording("x.cast")))
        #expect(try links.open([]) == nil)
        #expect(try links.open(Array(first.token.dropLast())) == nil)
        #expect(links.all().map(\.pages) == [0, 1])
        links.close("L2")
        #expect(links.all().map(\.pages) == [0, 0])
    }

    private static let (key, other) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))

    @Test func `the first page replaces the token of a link by its key`() throws {
        for isOnce in [false, true] {
            let token = make { $0.isOnce = isOnce }.token
            for given in [token, token, Self.key + [UInt8(isOnce ? 1 : 0)]] {
                let key = Self.key + [UInt8(isOnce ? 1 : 0)]
                #expect(try #require(try links.open(given, .always(key: key))).hasKey)
            }
            for exchange in [PageLinks.Exchange.never, .always(key: Self.other), .ifOnce(key: Self.other)] {
                let used = #expect(throws: VTError.self) { try links.open(token, exchange) }
                #expect(used?.code == .exists)
            }
            #expect(links.access(with: token) == nil && links.access(with: Self.key + [UInt8(isOnce ? 1 : 0)]) != nil)
            #expect(try links.open(Self.other) == nil)
        }
    }

    @Test func `a program keeps the token unless the link can be used once`() throws {
        let (token, once) = (make().token, make { $0.isOnce = true }.token)
        for _ in 0..<2 {
            #expect(try links.open(token) != nil)
            #expect(try links.open(token, .ifOnce(key: Self.key))?.hasKey == false)
        }
        let error = #expect(throws: VTError.self) { try links.open(once) }
        #expect(error?.code == .authDenied && links.access(with: once) == nil)
        #expect(try links.open(once, .ifOnce(key: Self.other))?.hasKey == true)
        #expect(try links.open(Self.other) != nil)
    }

    @Test func `a link for several people keeps its token`() throws {
        let token = make { $0.isReusable = true }.token
        for key in [Self.key, Self.other] {
            let access = try #require(try links.open(token, .always(key: key)))
            #expect(access.isReusable && !access.hasKey)
            #expect(try links.open(key) == nil)
        }
    }

    @Test func `an expired link is unknown`() throws {
        let token = make { $0.expiresAt = Timestamp(seconds: Timestamp.now().seconds) }.token
        #expect(try links.open(token) == nil)
        #expect(links.all() == [])
    }

    @Test func `revoking ends the pages of a link`() async throws {
        let made = make()
        let access = try #require(try links.open(made.token))
        async let end = links.end(of: access)
        try links.revoke(made.link.id)
        #expect(try await end == .revoked)
        #expect(try links.open(made.token) == nil)
        #expect(throws: VTError.self) { try links.revoke(made.link.id) }
    }

    @Test func `after ten failures of an address, there are too many`() {
        let limit = LoginLimit()
        for _ in 0..<10 { #expect(!limit.recordFailure(of: "a")) }
        #expect(limit.recordFailure(of: "a"))
        #expect(!limit.recordFailure(of: "b"))
    }
}
