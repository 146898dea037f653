import Core
import Glibc
import Storage
import System
import TestSupport
import Testing

@Suite struct FileSSHConfigurationTests {
    private let fixture: SSHConfigFixture

    init() throws {
        fixture = try SSHConfigFixture()
    }

    private func failure(_ text: String, host: String = "a") throws -> VTError {
        try #require(#expect(throws: VTError.self) { try fixture.settings(text, host) })
    }

    @Test func `only names that are not patterns are aliases`() throws {
        let configuration = try fixture.read("Host a *.b c? !d\nHost e \"f\" a\nMatch host g\n")
        #expect(configuration.aliases == ["a", "e", "f"])
    }

    @Test func `expands tildes and patterns in includes, in order of names`() throws {
        let scratch = fixture.scratch
        try scratch.write("Include conf.d/*.conf missing ~/more\nHost last\n", to: "home/.ssh/config")
        try scratch.write("Host two\n", to: "home/.ssh/conf.d/2.conf")
        try scratch.write("Host one\n  Include \(scratch.path("deep"))\n", to: "home/.ssh/conf.d/1.conf")
        try scratch.write("Host ignored\n", to: "home/.ssh/conf.d/3.other")
        try scratch.write("Host more\n", to: "home/more")
        try scratch.write("Port 5\nHost one-deep\n  Port 6\n", to: "deep")
        let configuration = try fixture.reader(home: scratch.path("home")).read(nil, runsPrograms: false)
        // A file included from a block applies only to the hosts of that block.
        #expect(configuration.aliases == ["one", "two", "more", "last"])
        #expect(try configuration.settings(for: "one", given: [:]).port == 5)
        #expect(try configuration.settings(for: "two", given: [:]).port == nil)
    }

    @Test func `a block continues after an include`() throws {
        try fixture.scratch.write("Host other\n  Port 1\n", to: "included")
        let text = "Host a\n  Include \(fixture.scratch.path("included"))\n  User ann\n"
        #expect(try fixture.settings(text, "a").user == "ann")
    }

    @Test(arguments: [
        "Hostname 127.0.0.1 extra", "Port 22 33", "User ann smith", "BatchMode yes no", "RequestTTY no extra",
        "LocalForward 1 h:2 extra",
    ])
    func `refuses extra arguments, as ssh does`(_ line: String) async throws {
        let error = #expect(throws: VTError.self) { try fixture.settings("Host a\n\(line)\n", "a") }
        #expect(error?.code == .dataInvalid)
        #expect(error?.message.contains("line 2: extra arguments after '") == true)
        await #expect(throws: (any Error).self) { try await fixture.reference("Host a\n\(line)\n", "a") }
    }

    @Test func `the ports of a forward can be names of services`() throws {
        let text = "LocalForward http localhost:ssh\nDynamicForward localhost:https\nLocalForward /a 1:2\n"
        let words = try fixture.settings(text, "a").settings.map(\.words)
        #expect(words == [["80", "localhost:22"], ["localhost:443"], ["/a", "1:2"]])
        #expect(throws: VTError.self) { try fixture.settings("LocalForward nosuch localhost:80\n", "a") }
    }

    @Test func `a comment is not an extra argument`() throws {
        #expect(try fixture.settings("Port 22 # 33\n", "a").port == 22)
    }

    @Test func `rejects a file that includes itself`() throws {
        let failure = try failure("Include \(fixture.scratch.path("config"))\n")
        #expect(failure.code == .dataInvalid)
    }

    @Test(.asRoot) func `refuses a file that others may write to or own, and any such included file`() throws {
        let scratch = fixture.scratch
        let reader = fixture.reader(home: scratch.path("home"))
        let main = try scratch.write("Include more\n", to: "home/.ssh/config")
        let more = try scratch.write("ProxyCommand x\n", to: "home/.ssh/more")
        let read: [() throws -> Void] = [
            { _ = try reader.read(nil, runsPrograms: false) }, { _ = try reader.readAll() },
        ]
        for file in [main, more] {
            for breach in [{ _ = chmod(file, 0o666) }, { _ = chown(file, 12345, gid_t.max) }] {
                breach()
                defer { _ = (chmod(file, 0o644), chown(file, geteuid(), gid_t.max)) }
                for call in read {
                    let error = #expect(throws: VTError.self) { try call() }
                    #expect(error?.code == .config)
                    #expect(error?.message.hasPrefix("bad owner or permissions: '\(file)' is ") == true)
                }
            }
        }
        for call in read { #expect(throws: Never.self) { try call() } }
        // As with ssh -F, a file that is named is trusted, but not the files that it includes.
        chmod(main, 0o666)
        #expect(throws: Never.self) { try reader.read(main, runsPrograms: true) }
        chmod(more, 0o666)
        #expect(throws: VTError.self) { try reader.read(main, runsPrograms: true) }
        try scratch.write("Include more\n", to: "system/ssh_config")
        chmod(try scratch.write("Port 1\n", to: "system/more"), 0o666)
        chmod(scratch.path("system/ssh_config"), 0o666)
        chmod(more, 0o600)
        chmod(main, 0o600)
        #expect(throws: VTError.self) { try reader.readAll() }
        chmod(scratch.path("system/more"), 0o600)
        #expect(throws: Never.self) { try reader.readAll() }
    }

    @Test func `a file in another home directory is not a default known_hosts file`() throws {
        let reader = fixture.reader(home: "/home/bob")
        for (file, expected) in [("/home/eve", "/home/eve/.ssh/known_hosts"), ("/home/bob", nil), ("~", nil)] {
            let path = try fixture.scratch.write("UserKnownHostsFile \(file)/.ssh/known_hosts\n", to: "config")
            #expect(
                try reader.read(path, runsPrograms: false).settings(for: "a", given: [:]).knownHosts
                    == expected
            )
        }
    }

    @Test func `reports a missing file`() throws {
        let reader = fixture.reader(home: "/nowhere")
        let failure = #expect(throws: VTError.self) { try reader.read(nil, runsPrograms: false) }
        #expect(failure?.code == .notFound)
    }

    @Test func `reads the user's file and then the one for all users`() throws {
        let scratch = fixture.scratch
        let reader = fixture.reader(home: scratch.path("home"))
        #expect(try reader.readAll().settings(for: "a", given: [:]).port == nil)
        try scratch.write("Host a\n  Port 1\nHost b\n  User ann\n", to: "home/.ssh/config")
        try scratch.write("Include more/*.conf\nPort 2\nSendEnv LANG LC_*\n", to: "system/ssh_config")
        try scratch.write("Host a\n  HostName a.example\n", to: "system/more/1.conf")
        let configuration = try reader.readAll()
        let a = try configuration.settings(for: "a", given: [:])
        #expect(a.port == 1 && a.hostName == "a.example")
        let b = try configuration.settings(for: "b", given: [:])
        #expect(b.port == 2 && b.user == "ann" && b.hostName == "b")
        // The last block of the user's file does not extend to the other file, and only the user's file is imported.
        #expect(try configuration.settings(for: "c", given: [:]).port == 2)
        #expect(try reader.read(nil, runsPrograms: false).settings(for: "c", given: [:]).port == nil)
        try scratch.write("Include ~/more\n", to: "system/ssh_config")
        #expect(throws: VTError.self) { try reader.readAll() }
    }

    @Test(arguments: [
        "Host a\nPort 0\n", "Host a\nPort abc\n", "Host a\nUser -x\n", "Host a\nHostName a;b\n", "Host a\nHostName\n",
        "Host a\nUser \"ann\n", "Host a\nProxyJump a b\n", "Host a\nProxyJump gate:0\n",
        "Host a\nConnectTimeout soon\n",
        "Host a\nServerAliveCountMax x\n", "Host a\nStrictHostKeyChecking perhaps\n", "Host a\nSetEnv A-B=1\n",
        "Host a\nIdentitiesOnly perhaps\n", "Host a\nIdentityFile ${UNSET}/k\n", "Host a\nIdentityFile /k%z\n",
        "Host a\nServerAliveInterval 99999999999w\n", "Host a\nAddressFamily inet5\n",
        "Host a\nHashKnownHosts perhaps\n", "Host a\nBatchMode perhaps\n", "Host a\nRequestTTY perhaps\n",
        "Host a\nNumberOfPasswordPrompts -1\n", "Host a\nLogLevel loud\n", "Host a\nSessionType shell\n",
        "Host a\nLocalForward 8080\n", "Host a\nDynamicForward a:b:c\n", "Host a\nGatewayPorts perhaps\n",
    ])
    func `rejects a malformed value, and reports its line`(text: String) throws {
        let failure = try failure(text)
        #expect(failure.code == .dataInvalid)
        #expect(failure.message.hasPrefix("'\(fixture.scratch.path("config"))' line 2: "))
    }

    @Test func `a value that does not apply may be malformed`() throws {
        #expect(try fixture.settings("Host a\nPort 1\nPort x\nHost b\nUser -\n", "a").port == 1)
    }

    @Test func `expands tokens and variables in identities`() throws {
        let text = "Host a\nHostName h\nUser u\nPort 3\nIdentityFile ${KEYS}/%n-%h-%r-%p-%%\nIdentityFile %d/%u\n"
        #expect(
            try fixture.settings(text, "a").keyFiles
                == ["/keys/a-h-u-3-%", "\(fixture.account.home)/\(fixture.account.name)"]
        )
    }

    @Test func `the command line overrides the file`() throws {
        let configuration = try fixture.read("Host a\nUser ann\nPort 3\nMatch user bob\nHostName b.example\n")
        let settings = try configuration.settings(for: "a", given: ["user": "bob", "port": "4"])
        #expect(settings.user == "bob" && settings.port == 4 && settings.hostName == "b.example")
    }

    @Test func `a tag from the command line or the configuration selects blocks`() throws {
        let configuration = try fixture.read("Host a\nTag one\nMatch tagged one,t*\nPort 1\nMatch !tagged *\nPort 2\n")
        #expect(try configuration.settings(for: "a", given: [:]).port == 1)
        #expect(try configuration.settings(for: "a", given: ["tag": "two"]).port == 1)
        #expect(try configuration.settings(for: "a", given: ["tag": "other"]).port == nil)
        #expect(try configuration.settings(for: "b", given: [:]).port == nil)
    }

    @Test(arguments: [
        ("IdentitiesOnly yes", nil), ("IdentityAgent none", false), ("IdentityAgent SSH_AUTH_SOCK", nil),
    ])
    func `disables the agent only if the file specifies it`(line: String, agent: Bool?) throws {
        #expect(try fixture.settings(line, "a").usesAgent == agent)
        #expect(try fixture.settings(line, "a").report.leftOut == [])
        #expect(try fixture.settings(line, "a").isLimitedToIdentities == (line == "IdentitiesOnly yes" ? true : nil))
    }

    @Test func `lists settings that a profile does not support`() throws {
        let text = """
            ForwardAgent yes
            LocalForward 80 x:80
            LocalForward 81 x:81
            IdentityFile none
            IdentityAgent ~/agent
            StrictHostKeyChecking no
            UserKnownHostsFile ~/.ssh/known_hosts /k1 /k2
            IgnoreUnknown X
            """
        let settings = try fixture.settings(text, "a")
        #expect(
            settings.report.leftOut == [
                "ForwardAgent", "LocalForward", "LocalForward", "IdentityFile none", "IdentityAgent",
                "StrictHostKeyChecking no (imported as accept-new)", "UserKnownHostsFile /k2",
            ]
        )
        #expect(settings.knownHosts == "/k1")
        #expect(settings.hostKeyPolicy == .acceptNew)
    }

    @Test func `a comment may have any encoding, but a directive must be UTF-8`() throws {
        let path = try fixture.scratch.write(
            Array("\u{FEFF}Host a # b".utf8) + [0xE9] + Array("\n  # caf".utf8) + [0xE9]
                + Array("\n  HostName x\n".utf8),
            to: "latin"
        )
        #expect(
            try fixture.reader(home: "/").read(path, runsPrograms: false).settings(for: "a", given: [:])
                .hostName == "x"
        )
        try fixture.scratch.write(Array("Host a\n\n  HostName caf".utf8) + [0xE9], to: "latin")
        let error = #expect(throws: VTError.self) { _ = try fixture.reader(home: "/").read(path, runsPrograms: false) }
        #expect(error?.message == "'\(path)' line 3: not UTF-8")
        #expect(error?.hint?.contains("vi +3 \(path)") == true)
    }

    @Test func `a program runs only if its result matters, and its value is safe in a shell`() throws {
        let ran = fixture.scratch.path("ran")
        let text =
            "Match host b exec \"touch \(ran)\"\nMatch exec \"test %h-%n-%p-%r = X-a-22-ann\"\n  Port 5\nUser ann\n"
        #expect(try fixture.settings("User ann\nHostName X\n" + text, "a", runsPrograms: true).port == 5)
        #expect(throws: (any Error).self) { try fixture.scratch.read("ran") }
        #expect(throws: VTError.self) { try fixture.settings("Match exec \"kill $$\"\n", "a", runsPrograms: true) }
        let unsafe = "User \"ann;b\"\nMatch exec \"touch %r\"\n"
        let error = #expect(throws: VTError.self) { try fixture.settings(unsafe, "a", runsPrograms: true) }
        #expect(error?.code == .dataInvalid)
    }

    @Test func `expands the host name in UserKnownHostsFile, and keeps blanks in a quoted user name`() throws {
        let settings = try fixture.settings("HostName X.example\nUser \"ann smith\"\nUserKnownHostsFile /k/%h\n", "a")
        #expect(settings.knownHosts == "/k/x.example" && settings.user == "ann smith")
    }

    @Test func `a criterion that runs a program is reported and does not match`() throws {
        let text =
            "Host a\n  Port 1\nMatch exec \"touch \(fixture.scratch.path("ran"))\"\n  User x\nMatch all\n  User y\n"
        let configuration = try fixture.read(text)
        let place = "'\(fixture.scratch.path("config"))' line 3"
        let settings = try configuration.settings(for: "a", given: [:])
        #expect(settings.report.notes == ["skipped the block at \(place): 'Match exec' is not supported"])
        #expect(settings.report.warnings == settings.report.notes)
        #expect(settings.user == "y")
        #expect(throws: (any Error).self) { try fixture.scratch.read("ran") }
    }

    @Test(
        arguments: [
            ("Match exec \"true\"\n  HostName x\n", 1), ("Match host a exec \"true\"\n  proxyjump x\n", 1),
            ("Match host b exec \"true\"\n  HostName x\n", 0), ("Match exec \"true\"\n  Compression yes\n", 0),
            ("Match exec \"true\"\n  Compression yes\nMatch all\n  User x\n", 0),
            ("Match exec \"true\"\n  IdentityFile x\nMatch final all\n", 1),
        ]
    )
    func `a block that is skipped is a warning if it could affect the connection`(_ text: String, count: Int) throws {
        #expect(try fixture.settings(text, "a").report.warnings.count == count)
    }
}
