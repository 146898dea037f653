import Foundation
import TestSupport

extension SSHConfigurationCases {
    /// Returns a random configuration and command line; with `isLong`, the command line has more options.
    static func random(_ number: Int, isLong: Bool) -> Case {
        var generator = SeededGenerator(spreading: number)
        var lines = some(directives, 0...3, &generator)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            lines.append(blocks.randomElement(using: &generator) ?? "Host *")
            lines += some(directives, 1...5, &generator).map { "  \($0)" }
        }
        let flags = some(options, isLong ? 2...6 : 0...2, &generator).flatMap { $0.split(separator: " ") }
        let host = hosts.randomElement(using: &generator) ?? "web"
        return Case(words: flags.map(String.init) + [host, "true"], text: lines.joined(separator: "\n") + "\n")
    }

    private static func some(
        _ choices: [String],
        _ counts: ClosedRange<Int>,
        _ generator: inout SeededGenerator
    ) -> [String] {
        Array(choices.shuffled(using: &generator).prefix(Int.random(in: counts, using: &generator)))
    }

    private static let hosts = ["web", "db1", "db2", "gate.example", "Web", "a-b", "10.0.0.1", "x", "u@web", "u@db2"]

    private static let blocks = [
        "Host web", "Host=db?", "host *.example !bad.example", "Host * !db2", "HOST a-* 10.*", "Host \"web\" x",
        "Match all", "Match host web,db*", "Match originalhost web", "Match user ann", "Match !host web",
        "Match host *.example user bob", "Match exec \"true\"", "Match exec \"test %h = web\"", "Match final all",
        "Match exec \"false || true\"", "Match !exec \"true && false\"", "Match exec \"cd /; test -d etc\"",
        "Match canonical", "Match final host *.org",
    ]

    private static let directives = """
        AddressFamily any|AddressFamily inet|AddressFamily INET6|BatchMode no|BindAddress 127.0.0.1|BindInterface lo
        CanonicalizeFallbackLocal no|CanonicalizeMaxDots 2|CertificateFile ~/.ssh/a-cert.pub
        CertificateFile /k/%h.pub
        ChallengeResponseAuthentication no|CheckHostIP yes|CheckHostIP no|Ciphers aes128-ctr
        Ciphers aes256-ctr,aes128-ctr
        ClearAllForwardings yes|ClearAllForwardings No|Compression yes|ConnectTimeout 1m|ConnectTimeout none
        DynamicForward 1080|DynamicForward 127.0.0.1:1081|DynamicForward *:1082|ExitOnForwardFailure yes
        ForkAfterAuthentication yes|ForwardAgent no|GatewayPorts yes|GlobalKnownHostsFile /g/known /g2
        HashKnownHosts YES
        HostKeyAlias alias|HostKeyAlias Alias.Example|HostName %h.example.org|HostName web.example|HostName 10.1.2.3
        IdentitiesOnly yes|IdentitiesOnly false|IdentityAgent none|IdentityAgent SSH_AUTH_SOCK
        IdentityAgent /run/agent-%i
        IdentityFile "/with blank/k"|IdentityFile ${KEYS}/%r|IdentityFile ~/.ssh/a|IdentityFile none
        KbdInteractiveAuthentication no|KexAlgorithms curve25519-sha256|KnownHostsCommand /bin/list %H '%t'
        LocalCommand echo %h %n|LocalForward *:8082 h:82|LocalForward 127.0.0.1:8081 [::1]:81|LocalForward 8080 h:80
        LogLevel debug2|LogLevel ERROR|LogLevel FATAL|LogLevel QUIET|LogLevel VERBOSE|MACs hmac-sha2-256
        NumberOfPasswordPrompts 5|PasswordAuthentication no|PermitLocalCommand yes|Port 2222|Port 65535
        PreferredAuthentications password,publickey|PreferredAuthentications publickey|ProxyCommand nc %h %p
        ProxyCommand none|ProxyJump ann@gate:2200|ProxyJump a,b|ProxyJump none|ProxyUseFdpass no
        PubkeyAuthentication host-bound|PubkeyAuthentication no|RemoteForward 9090 h:80|RemoteForward [::1]:9091 h:1
        RequestTTY auto|RequestTTY force|RequestTTY no|RequiredRSASize 2048|RevokedHostKeys none
        RevokedHostKeys ~/revoked
        SendEnv -LC_*|SendEnv A B|SendEnv LANG LC_*|ServerAliveCountMax 5|ServerAliveInterval 0
        ServerAliveInterval 1m
        SessionType default|SessionType none|SetEnv A=1 B=2|SetEnv A=3|SetEnv C="x y"|StdinNull yes
        StreamLocalBindUnlink yes|StrictHostKeyChecking accept-new|StrictHostKeyChecking ask
        StrictHostKeyChecking yes
        TCPKeepAlive no|UpdateHostKeys no|User Ann|User ann|User bob|UserKnownHostsFile /u1 ~/u2
        UserKnownHostsFile none
        """.split(whereSeparator: { "|\n".contains($0) }).map { $0.trimmingCharacters(in: .whitespaces) }

    private static let options = """
        -4|-6|-B lo|-C|-D 5|-K|-L 1:h:2|-N|-R 3:h:4|-S none|-T|-W t:22|-a|-b 127.0.0.2|-c aes128-ctr|-e none|-f|-g
        -i /etc/passwd|-k|-l lu|-m hmac-sha2-512|-n|-o CheckHostIP=yes|-o ClearAllForwardings=yes
        -o ConnectTimeout=9
        -o ExitOnForwardFailure=yes|-o HostName=oh|-o IdentityFile=/i/%h|-o LogLevel=ERROR|-o ProxyCommand=none
        -o ProxyJump=jump|-o ProxyJump=none|-o RequestTTY=force|-o RequiredRSASize=4096|-o RevokedHostKeys=/r
        -o SendEnv=X|-o SessionType=none
        -o SetEnv=Z=1|-o StdinNull=yes|-o StrictHostKeyChecking=yes|-o User=ou|-o UserKnownHostsFile=/x
        -oPort=99|-p 2022|-q
        -t|-tt|-v|-vv|-x
        """.split(whereSeparator: { "|\n".contains($0) }).map { $0.trimmingCharacters(in: .whitespaces) }
}
