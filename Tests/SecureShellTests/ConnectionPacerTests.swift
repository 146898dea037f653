import Core
import Testing

@testable import SecureShell

struct ConnectionPacerTests {
    private let pacer = ConnectionPacer()
    private let server = Endpoint(host: "h")

    private func enter(_ count: Int) async throws -> [ConnectionPacer.Place] {
        var places: [ConnectionPacer.Place] = []
        for _ in 0..<count { places.append(try await pacer.enter(server)) }
        return places
    }

    /// The number of further connections that may start at once; they fail afterward.
    private func room() async throws -> Int {
        var places: [ConnectionPacer.Place] = []
        while places.count < 100 {
            let pacer = pacer
            let task = Task { try await pacer.enter(server) }
            // A task that must wait has not ended when it is canceled.
            for _ in 0..<20 { await Task.yield() }
            task.cancel()
            guard let place = try? await task.value else { break }
            places.append(place)
        }
        for place in places { pacer.leave(place, .failed) }
        return places.count
    }

    @Test func `connections are not limited until one is refused`() async throws {
        let places = try await enter(100)
        for place in places { pacer.leave(place, .accepted) }
        #expect(try await room() == 100)
    }

    @Test func `the refusals of one burst halve the limit once`() async throws {
        for place in try await enter(16) { pacer.leave(place, .refused) }
        #expect(try await room() == 8)
        for place in try await enter(8) { pacer.leave(place, .refused) }
        #expect(try await room() == 4)
    }

    @Test func `a round of accepted connections raises the limit by one`() async throws {
        for place in try await enter(8) { pacer.leave(place, .refused) }
        for _ in 0..<5 { pacer.leave(try await pacer.enter(server), .accepted) }
        #expect(try await room() == 5)
    }

    @Test func `at least one connection may always start`() async throws {
        for _ in 0..<5 { pacer.leave(try await pacer.enter(server), .refused) }
        #expect(try await room() == 1)
    }

    @Test func `a connection that ends admits the one that has waited longest`() async throws {
        for _ in 0..<2 { pacer.leave(try await pacer.enter(server), .refused) }
        let place = try await pacer.enter(server)
        let (pacer, server) = (pacer, server)
        async let next = pacer.enter(server)
        pacer.leave(place, .accepted)
        pacer.leave(try await next, .accepted)
        #expect(pacer.hasAccepted(server))
    }

    @Test func `other servers are not limited`() async throws {
        for place in try await enter(2) { pacer.leave(place, .refused) }
        let other = Endpoint(host: "h", port: 2222)
        for _ in 0..<10 { _ = try await pacer.enter(other) }
        #expect(!pacer.hasAccepted(other))
    }
}
