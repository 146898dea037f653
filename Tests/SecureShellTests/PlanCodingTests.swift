import Core
import Testing

@testable import SecureShell

struct PlanCodingTests {
    /// Plans that differ in every field that is encoded.
    static let plans: [SSHPlan] = {
        var full = plan("full", .direct)
        full.endpoint = Endpoint(host: "::1", port: 2222)
        full.credentials.agentSocket = "/tmp/agent"
        full.credentials.identities = [.init(path: "/k", isRequired: true), .init(path: "/l", isRequired: false)]
        full.credentials.certificates = ["/k-cert.pub"]
        full.credentials.isLimitedToIdentities = true
        full.credentials.methods = [.password, .publicKey]
        full.hostKeyLookup.userFiles = ["/a", "/b"]
        full.hostKeyLookup.globalFiles = []
        full.hostKeyLookup.additionalFile = "/c"
        full.hostKeyLookup.alias = "alias"
        full.hostKeyLookup.hashesNames = true
        full.hostKeyLookup.revokedKeys = "/r"
        full.hostKeyLookup.command = ["list", "%H"]
        full.hostKeyLookup.checksAddress = true
        full.hostKeyLookup.minimumRSABits = 3072
        full.algorithms = [.cipher: "aes128-ctr", .keyExchange: "+x"]
        full.bindAddress = "127.0.0.1"
        full.bindInterface = "lo"
        full.addressFamily = .ipv6
        var family = plan("family", .proxyCommand("nc %h"))
        family.addressFamily = .ipv4
        return [plan("direct", .direct), full, family, plan("jump", .jump(plan("hop", .jump(full))))]
    }()

    private static func plan(_ name: String, _ route: SSHPlan.Route) -> SSHPlan {
        SSHPlan(
            name: name,
            endpoint: Endpoint(host: "host", port: 22),
            user: "user",
            route: route,
            credentials: Credentials(agentSocket: nil, identities: [], passphrase: { nil }, password: { nil }),
            hostKeyPolicy: .acceptNew,
            allowedAlgorithms: ["ssh-dss"],
            limits: ConnectionLimits(connectTimeout: .seconds(9), keepAliveInterval: .seconds(15), keepAliveCount: 3)
        )
    }

    private func decoded(_ bytes: some Collection<UInt8>) -> SSHPlan? {
        PlanCoding.decode(Array(bytes), connectTimeout: .seconds(4)) { (purpose, depth) throws(VTError) in
            try Secret(Array("\(purpose) \(depth)".utf8))
        }
    }

    private func encoded(_ plan: SSHPlan) -> [UInt8] {
        PlanCoding.encode(plan, context: "context", environment: ["B=1", "A=2"])
    }

    @Test(arguments: plans.indices)
    func `a plan is read as it was written`(_ index: Int) async throws {
        let plan = Self.plans[index]
        let read = try #require(decoded(encoded(plan)))
        #expect(encoded(read) == encoded(plan))
        #expect(read.limits.connectTimeout == .seconds(4))
        for (depth, server) in (read.hops + [read]).reversed().enumerated() {
            #expect(try await server.credentials.password() == Secret(Array("password \(depth)".utf8)))
        }
    }

    @Test(arguments: plans.indices)
    func `a truncated plan is malformed`(_ index: Int) {
        let bytes = encoded(Self.plans[index])
        for count in bytes.indices { #expect(decoded(bytes[..<count]) == nil) }
    }

    @Test func `a plan with too many jump hosts is malformed`() {
        let plan = (0..<100).reduce(Self.plans[0]) { hop, _ in Self.plan("jump", .jump(hop)) }
        #expect(decoded(encoded(plan)) == nil)
    }

    @Test func `any difference leads to another encoding`() {
        #expect(Set(Self.plans.map(encoded)).count == Self.plans.count)
    }
}
