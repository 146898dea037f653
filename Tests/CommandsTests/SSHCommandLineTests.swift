import Commands
import Core
import Testing

@Suite struct SSHCommandLineTests {
    private func parse(_ line: String) throws -> SSHCommandLine {
        try SSHCommandLine(line.split(separator: " ").map { ByteString($0) })
    }

    static let lines: [(line: String, host: String, options: [String], words: String)] = [
        ("web", "web", [], ""),
        ("ann@web make all", "web", ["User=ann"], "make all"),
        ("ann@ad@web", "web", ["User=ann@ad"], ""),
        ("ssh://ann@web:22 ls", "web", ["User=ann", "Port=22"], "ls"),
        ("::1 ls", "::1", [], "ls"),
        // Options can follow the host, but not the command or a `--` before the host.
        ("web -p 22 ls -l", "web", ["Port=22"], "ls -l"),
        ("web -p22 -- -x", "web", ["Port=22"], "-x"),
        ("-p 22 -- web ls -l", "web", ["Port=22"], "ls -l"),
        ("-- web -l x", "web", [], "-l x"),
        // Flags and -o have the same precedence: the first one applies.
        ("-l a -oUser=b c@web", "web", ["User=a", "User=b", "User=c"], ""),
        ("-xaC2 -e none -MSx -K -k -y web", "web", ["ControlPath=x"], ""),
        ("-4 -n -J a,b web", "web", ["StdinNull=yes", "AddressFamily=inet", "ProxyJump=a,b"], ""),
        // Some flags override options and earlier flags.
        ("-oCiphers=a -c b -c d web", "web", ["Ciphers=d", "Ciphers=b", "Ciphers=a"], ""),
        (
            "-NfgL 1:h:2 -R 3:h:4 -D5 web", "web",
            [
                "RequestTTY=no", "GatewayPorts=yes", "StdinNull=yes", "ForkAfterAuthentication=yes", "SessionType=none",
                "LocalForward=1:h:2", "RemoteForward=3:h:4", "DynamicForward=5",
            ], ""
        ),
        ("-i k -ij web", "web", ["IdentityFile=k", "IdentityFile=j"], ""),
        ("-oRequestTTY=no -t web", "web", ["RequestTTY=yes", "RequestTTY=no"], ""),
        ("-tt web", "web", ["RequestTTY=force"], ""),
        ("-t web -T", "web", ["RequestTTY=no"], ""),
    ]

    @Test(arguments: lines)
    func `parses ssh command lines`(line: String, host: String, options: [String], words: String) throws {
        let parsed = try parse(line)
        #expect(parsed.host == host)
        #expect(parsed.options == options)
        #expect(parsed.joinedWords == ByteString(words))
        #expect(parsed.action == .run)
    }

    @Test func `some flags are not ssh_config options`() throws {
        let parsed = try parse("-qvv -F none -s web sftp")
        #expect(parsed.isQuiet && parsed.verbosity == 2 && parsed.isSubsystem)
        #expect(parsed.configurationFile == "none")
        #expect(try parse("-G web").action == .showConfiguration)
        #expect(try parse("-V").action == .showVersion)
        #expect(try parse("-Q cipher").action == .query("cipher"))
        #expect(try parse("-O check -E log web").action == .control(.check))
        #expect(try parse("-E log web").logFile == "log")
    }

    @Test func `of vt's own options, only --help as the first word is accepted`() async {
        let fixture = RunFixture()
        #expect(await fixture.run("ssh --help") == 0)
        #expect(fixture.output.text.contains("Usage: vt ssh [OPTIONS] HOST"))
        let failure = RunFixture()
        #expect(await failure.run("ssh --json web") == 255)
        #expect(failure.errorOutput.text.hasPrefix("vt: unknown option '--json'"))
    }

    static let mistakes = [
        ("", "missing argument: HOST"), ("-p", "option '-p' requires a value"), ("-z web", "unknown option '-z'"),
        ("-xz web", "unknown option '-z'"), ("--help2=x web", "unknown option '--help2'"),
        ("a/b", "invalid host name in 'a/b'"), ("-A web", "cannot use '-A': vt does not forward agents"),
        ("-w 1 web", "cannot use '-w': vt does not forward network devices"),
        ("-W web", "invalid address 'web'"), ("-O forward web", "cannot use '-O forward'"),
    ]

    @Test(arguments: mistakes)
    func `explains what it refuses`(line: String, message: String) {
        let error = #expect(throws: VTError.self) { try parse(line) }
        #expect(error?.code == .usage && error?.message == message)
    }
}
