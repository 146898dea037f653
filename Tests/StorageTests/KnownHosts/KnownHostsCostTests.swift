import Core
import Glibc
import Storage
import TestSupport
import Testing

/// The cost of looking up and storing a host must not depend on the number of other hosts in the file.
@Suite struct KnownHostsCostTests {
    private let fixture: TrustFixture

    init() throws {
        fixture = try TrustFixture()
    }

    /// A store whose own file contains this number of hosts and has been read.
    private func store(_ count: Int, _ key: TestKey) throws -> FileTrustStore {
        let lines = (0..<count).map { "[host\($0).example]:2222 \(key.text)\n" }
        try fixture.scratch.write(lines.joined(), to: "vt/known_hosts")
        let store = fixture.store()
        _ = try store.knownKeyTypes(for: fixture.host, in: HostKeyLookup())
        return store
    }

    /// The CPU time in seconds that this thread uses for `count` calls of `body`.
    private func cost(of count: Int, _ body: (Int) throws -> TrustVerdict, is expected: TrustVerdict) throws -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        var verdicts: [TrustVerdict] = []
        for number in 0..<count { verdicts.append(try body(number)) }
        let end = now()
        #expect(verdicts.allSatisfy { $0 == expected })
        return end - start
    }

    private func costOfFinding(among count: Int, _ key: TestKey) throws -> Double {
        let store = try store(count, key)
        let find = { (number: Int) throws -> TrustVerdict in
            let endpoint = Endpoint(host: "host\(number).example", port: 2222)
            _ = try store.knownKeyTypes(for: endpoint, in: HostKeyLookup())
            return try store.check(key.hostKey, for: endpoint, policy: .strict, in: HostKeyLookup())
        }
        return try cost(of: 200, find, is: .known)
    }

    private func costOfStoring(among count: Int, _ key: TestKey) throws -> Double {
        let store = try store(count, key)
        let add = { (number: Int) throws -> TrustVerdict in
            let endpoint = Endpoint(host: "new\(number).example")
            return try store.check(key.hostKey, for: endpoint, policy: .acceptNew, in: HostKeyLookup())
        }
        return try cost(of: 20, add, is: .stored)
    }

    @Test func `looks up a host among many as fast as among few`() async throws {
        let key = try await fixture.key()
        #expect(try costOfFinding(among: 8000, key) < 4 * costOfFinding(among: 500, key))
    }

    @Test func `stores a new host among many as fast as among few`() async throws {
        let key = try await fixture.key()
        #expect(try costOfStoring(among: 8000, key) < 4 * costOfStoring(among: 500, key))
    }

    @Test func `a newly stored key has the right line number`() async throws {
        let (key, other) = (try await fixture.key(), try await fixture.key())
        let store = try store(3, key)
        #expect(try store.check(key.hostKey, for: fixture.host, policy: .acceptNew, in: HostKeyLookup()) == .stored)
        #expect(try store.check(key.hostKey, for: fixture.otherPort, policy: .acceptNew, in: HostKeyLookup()) == .known)
        let error = try #require(
            #expect(throws: VTError.self) {
                try store.check(other.hostKey, for: fixture.host, policy: .acceptNew, in: HostKeyLookup())
            }
        )
        #expect(error.code == .hostKeyChanged)
        #expect(error.message.contains("('\(fixture.ownFile)' line 4)"))
    }

    @Test func `detects lines that another store has appended`() async throws {
        let (key, other) = (try await fixture.key(), try await fixture.key())
        let (first, second) = (try store(1, key), fixture.store())
        let endpoints = ["a", "b", "c"].map { Endpoint(host: "\($0).example") }
        for (store, endpoint) in zip([first, second, first], endpoints) {
            #expect(try store.check(other.hostKey, for: endpoint, policy: .acceptNew, in: HostKeyLookup()) == .stored)
        }
        for store in [first, second] {
            for endpoint in endpoints {
                let verdict = try store.check(other.hostKey, for: endpoint, policy: .strict, in: HostKeyLookup())
                #expect(verdict == .known)
            }
        }
        #expect(try first.knownHosts(for: nil, in: HostKeyLookup()).map(\.line) == [1, 2, 3, 4])
    }

    @Test(arguments: ["*.example", "host?.example,other", "host1.example,!host2.example"])
    func `finds lines with patterns as well as exact names`(_ names: String) async throws {
        let key = try await fixture.key()
        try fixture.write(user: "host1.example \(key.text)", "\(names) \(key.text)")
        let store = fixture.store()
        for _ in 0..<2 {
            #expect(
                try store.knownHosts(for: Endpoint(host: "host1.example"), in: HostKeyLookup()).map(\.line) == [1, 2]
            )
        }
        #expect(try store.knownHosts(for: Endpoint(host: "absent"), in: HostKeyLookup()).isEmpty)
    }
}
