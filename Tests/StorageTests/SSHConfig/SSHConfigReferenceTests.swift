import Core
import Storage
import System
import TestSupport
import Testing

/// vt must read the same settings as `ssh -G`.
@Suite struct SSHConfigReferenceTests {
    private static let configurations: [(String, [String])] = [
        // The first value wins; keywords are case-insensitive; "=" and quotes are accepted.
        (
            """
            host a
              HOSTNAME=a.example
              Port = 2200
              User "ann"
            Host *
              Port 1
              User bob
              HostName %h.example.org
            """, ["a", "b"]
        ),
        // Negation and several patterns.
        (
            """
            Host *.example !bad.example gate
              User ann
            Host w?b
              User web
            Host !nobody
              Port 7
            Host * !x
              Port 9
            """, ["good.example", "bad.example", "gate", "web", "wb", "weeb", "x", "nobody"]
        ),
        // Identities accumulate; comments and blank lines are skipped.
        (
            "# comment\n\n  Host a   # trailing comment\n\tIdentityFile ~/.ssh/a\n"
                + "IdentityFile \"/with blank/k\"\nIdentityFile /with\\ blank/k2\nHost *\r\n IdentityFile /all\r\n",
            ["a", "b"]
        ),
        // Programs, with tokens; a later one does not run if the line does not match.
        (
            """
            Host UP
              HostName Up.Example
            Match exec "test %h = Up.Example"
              User upper
            Match exec "test %n-%p = a-22" exec "true"
              Port 5
            Match !exec "exit 3"
              ServerAliveInterval 7
            """, ["a", "b", "UP", "up"]
        ),
        // Values before the first block apply to all hosts.
        ("User first\nHost a\nUser second\nPort 3\n", ["a", "b"]),
        // All forms of Match that do not run a program.
        (
            """
            Host alias
              HostName real.example
            Match host real.example
              User by-host
            Match originalhost alias
              Port 11
            Match originalhost="x*,!xx" user root
              Port 12
            Match !host real.example localuser root
              User other
            Match user other
              ConnectTimeout 5
            Match all
              ServerAliveInterval 1m30s
            """, ["alias", "x", "xx", "xy", "real.example"]
        ),
        // A final pass uses the name set by HostName.
        (
            """
            Host foo
              HostName foo.internal
            Host *.internal
              Port 99
            Match final all
              User late
            """, ["foo", "bar"]
        ),
        // The final pass can no longer set HostName.
        ("Host a\n  HostName b\nMatch final host b.dom\n  Port 5\nMatch final\n  HostName %h.dom\n", ["a", "b"]),
        // Without a final pass, the name set by HostName does not match.
        ("Host foo\n  HostName foo.internal\nHost *.internal\n  Port 99\n", ["foo", "x.internal"]),
        // The first of ProxyJump and ProxyCommand applies.
        ("Host a\nProxyJump ann@gate:2222,b\nProxyCommand nc %h %p\n", ["a"]),
        ("Host a\nProxyCommand nc -x 'a b' %h %p  \nProxyJump gate\n", ["a"]),
        ("Host a\nProxyJump none\nHost *\nProxyJump gate\nProxyCommand x\n", ["a", "b"]),
        ("Host a\nProxyCommand none\nHost *\nProxyJump gate\n", ["a", "b"]),
        ("Host a\nProxyCommand x\nHost *\nProxyJump none\nProxyJump gate\n", ["a", "b"]),
        // With "ConnectTimeout none", a later line can set it.
        ("Host a\nConnectTimeout none\nHost *\nConnectTimeout 7\n", ["a", "b"]),
        // Times, counts, host key checking and environment variables.
        (
            """
            Host a
              ServerAliveInterval 30
              ServerAliveCountMax 7
              ConnectTimeout 1h
              StrictHostKeyChecking accept-new
              UserKnownHostsFile /k1
              SetEnv A=b "C=d e"
            Host b
              StrictHostKeyChecking yes
              SetEnv X=1
            Host *
              SetEnv Y=2
            """, ["a", "b", "c"]
        ),
        // Host keys, addresses and offered variables.
        (
            """
            Host a
              UserKnownHostsFile /k1 "/k 2"
              GlobalKnownHostsFile /g
              HostKeyAlias Alias
              HashKnownHosts yes
              SendEnv A_*
              AddressFamily inet6
            Host b
              GlobalKnownHostsFile /g1 /g2
              HashKnownHosts no
            Host *
              UserKnownHostsFile /late
              SendEnv B C
              AddressFamily inet
            """, ["a", "b"]
        ),
    ]

    private static let cases = configurations.flatMap { text, hosts in hosts.map { (text, $0) } }

    @Test(arguments: cases)
    func `every host has the settings that ssh would use`(text: String, host: String) async throws {
        let fixture = try SSHConfigFixture()
        let settings = try fixture.settings(text, host, runsPrograms: true)
        let reference = try await fixture.reference(text, host)
        #expect([settings.hostName ?? ""] == reference["hostname"])
        #expect([settings.user ?? fixture.account.name] == reference["user"])
        #expect(["\(settings.port ?? 22)"] == reference["port"])
        let identities = settings.keyFiles ?? []
        if !identities.isEmpty { #expect(identities == reference["identityfile"]) }
        #expect(identities.isEmpty == (reference["identityfile"]?.contains("~/.ssh/id_rsa") == true))
        #expect((settings.proxyCommand.map { [$0] }) == reference["proxycommand"])
        let interval = settings.keepAliveInterval ?? .zero
        #expect(["\(interval.components.seconds)"] == reference["serveraliveinterval"])
        #expect(["\(settings.keepAliveCount ?? 3)"] == reference["serveralivecountmax"])
        let timeout = settings.connectTimeout.map { "\($0.components.seconds)" } ?? "none"
        #expect([timeout] == reference["connecttimeout"])
        let checking = ["accept-new": "accept-new", "true": "strict"][reference["stricthostkeychecking"]?.first ?? ""]
        #expect(settings.hostKeyPolicy?.rawValue == checking)
        let environment = reference["setenv", default: []].map { $0.split(separator: "=", maxSplits: 1) }
        let variables = (settings.environment ?? []).map { [$0.name, $0.value] }.sorted { $0[0] < $1[0] }
        #expect(variables == environment.map { $0.map(String.init) }.sorted { $0[0] < $1[0] })
        #expect(Self.jump(settings) == reference["proxyjump"]?.first)
        try expectHostKeys(settings, reference)
        let family = settings.addressFamily.map { $0 == .ipv4 ? "inet" : "inet6" } ?? "any"
        #expect([family] == reference["addressfamily"])
    }

    private func expectHostKeys(_ settings: HostSettings, _ reference: [String: [String]]) throws {
        if let files = settings.userKnownHosts {
            #expect([files.joined(separator: " ")] == reference["userknownhostsfile"])
        }
        if let files = settings.globalKnownHosts {
            #expect([files.joined(separator: " ")] == reference["globalknownhostsfile"])
        }
        #expect(settings.hostKeyAlias.map { [$0.lowercased()] } == reference["hostkeyalias"])
        #expect([settings.hashesKnownHosts == true ? "yes" : "no"] == reference["hashknownhosts"])
    }

    /// The jump hosts in the format of `ssh -G`.
    private static func jump(_ settings: HostSettings) -> String? {
        guard !settings.hops.isEmpty else { return nil }
        return settings.hops.map { hop in
            (hop.user.map { "\($0)@" } ?? "") + hop.host + (hop.port.map { ":\($0)" } ?? "")
        }.joined(separator: ",")
    }
}
