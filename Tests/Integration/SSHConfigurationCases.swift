import Foundation
import Testing

/// Configurations for which `ssh -G` and `vt ssh -G` must print the same.
enum SSHConfigurationCases {
    /// A configuration, and the words after `-G`.
    struct Case: CustomTestStringConvertible, Sendable {
        var words: [String]
        var text: String

        var testDescription: String { words.joined(separator: " ") + ": " + text.prefix { $0 != "\n" } }
    }

    /// The cases; `DIR` in the text stands for the directory of the test.
    static let all: [Case] = text.components(separatedBy: "\n%% ").map { part in
        let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let words = lines[0].trimmingPrefix("%% ").split(separator: " ").map(String.init)
        return Case(words: words, text: lines.count > 1 ? lines[1] + "\n" : "")
    }

    /// The included files, by name.
    static let files = [
        "10.conf": "User included\nHost web\n  Port 1010\n",
        "20.conf": "Match host web\n  ServerAliveInterval 20\nMatch all\n  SendEnv FROM_INCLUDE\n",
        "nested.conf": "Host *.nested\n  Include DIR/leaf.conf\n  Port 99\n",
        "leaf.conf": "HostName leaf-%h\nCompression yes\n",
    ]

    /// Each case starts with `%%` and the words after `-G`.
    private static let text = """
        %% web
        Host web
          HostName web.example
          User ann
          Port 2222
        %% WEB
        Host web
          User lower
        Host WEB
          User upper
        %% db3
        Host db?
          User q
        Host *
          User all
        %% db33
        Host db?
          User q
        Host db*
          Port 33
        %% good.example
        Host *.example !bad.example
          User ann
        %% bad.example
        Host *.example !bad.example
          User ann
        Host * !x
          Port 9
        %% gate
        Host one two gate
          User many
          IdentityFile ~/.ssh/a
        Host gate
          IdentityFile ~/.ssh/b
        IdentityFile ~/.ssh/c
        %% quoted
        Host "quoted"
          User "ann"
          IdentityFile "~/.ssh/with blank"
          "Port" 44
        %% eq
        Host=eq
        User=ann
          Port = 2200
        HostName	=	eq.example
        %% case
        HOST case
          USER Ann
          hostNAME Case.Example
          IDENTITIESONLY YES
        %% comment
        # a comment
        Host comment # trailing
          Port 22022 # another

          # indented
        User bob
        %% first
        Port 1
        User first
        Host first
          Port 2
          User second
        %% -p 7 -l given web
        Port 1
        User conf
        Host web
          HostName %h.example
        %% given@web
        User conf
        %% ssh://given@web:77
        User conf
        Port 1
        %% -o Port=5 -p 6 web
        Port 1
        %% -o HostName=other.example web
        Host web
          HostName web.example
        Match host other.example
          User matched
        %% alias
        Host alias
          HostName real.example
        Match host real.example
          User by-host
        Match originalhost alias
          Port 11
        %% alias
        Match !host alias
          User wrong
        Match host alias user root
          Port 12
        Match localuser root,other !originalhost x
          ServerAliveCountMax 9
        %% -l ann alias
        Match user a*,!ann
          Port 1
        Match user ann
          Port 2
        %% alias
        Match host=alias
          User equals
        Match originalhost "al*"
          Port 4
        Match host alias,"x y"
          ServerAliveInterval 4
        %% foo
        Host foo
          HostName foo.internal
        Host *.internal
          Port 99
        Match final all
          User late
        %% foo
        Host foo
          HostName Foo.Internal
        Match final host foo.internal
          User late
        Match canonical host *.internal
          Port 7
        %% foo
        Match canonical all
          Port 7
        Match !final
          User early
        Match final
          User late
        %% foo
        Match !all
          Port 7
        Match all
          Port 8
        %% exec
        Match exec "test %n = exec"
          User ran
        Match exec "false"
          Port 1
        Match !exec "test -n '%u%d%i%L%l%k%p%r'"
          Port 2
        Match host nothing exec "echo 1 >DIR/never"
          Port 3
        %% -p 9 exec
        HostKeyAlias aliased
        Match exec "test %p-%k = 9-aliased"
          User ran
        %% web
        Include DIR/1*.conf DIR/2*.conf
        Port 1
        %% other
        Include DIR/*0.conf
        User later
        %% web
        Host web
          Include DIR/10.conf
        Host other
          Include DIR/20.conf
        Port 5
        %% a.nested
        Include DIR/nested.conf
        Include DIR/missing.conf
        User x
        %% b
        Match host b
          Include DIR/leaf.conf
        Match host c
          Include DIR/10.conf
        %% multi
        IdentityFile ~/.ssh/one
        IdentityFile /two
        IdentityFile ~/.ssh/one
        IdentityFile %d/.ssh/%n_%h_%p_%r_%u
        IdentityFile ${KEYS}/k
        %% -i DIR/10.conf -i DIR/none multi
        IdentityFile ~/.ssh/one
        CertificateFile ~/.ssh/one-cert.pub
        CertificateFile ${KEYS}/%n-cert.pub
        %% none
        IdentityFile none
        IdentityAgent none
        %% agent
        IdentityAgent ${KEYS}/agent.%n
        IdentitiesOnly yes
        %% agent
        IdentityAgent SSH_AUTH_SOCK
        %% agent
        IdentityAgent $KEYS
        %% known
        UserKnownHostsFile ~/.ssh/known_%h ${KEYS}/known_%k /dev/null
        GlobalKnownHostsFile /g1 "/g 2"
        HashKnownHosts yes
        HostKeyAlias Al.IAS
        %% known
        UserKnownHostsFile none
        GlobalKnownHostsFile none
        StrictHostKeyChecking yes
        %% known
        UserKnownHostsFile /dev/null
        StrictHostKeyChecking accept-new
        %% jump
        ProxyJump ann@gate:2222,b:2200
        %% -J user@a:2222,b jump
        ProxyJump gate
        ProxyCommand nc %h %p
        %% jump
        Host jump
          ProxyJump none
        Host *
          ProxyJump gate
          ProxyCommand nc %h %p
        %% jump
        ProxyJump ssh://ann@gate:2222
        %% jump
        ProxyJump 10.0.0.1,10.0.0.2:22
        %% -o ProxyJump=none jump
        ProxyJump gate
        %% proxied
        ProxyCommand  ssh -W '[%h]:%p' "gate %r"  x
        ProxyJump gate
        %% -o ProxyCommand=none proxied
        ProxyCommand nc %h %p
        %% forwards
        LocalForward 8080 localhost:80
        LocalForward 127.0.0.1:8081 [::1]:81
        LocalForward ${KEYS}/sock-%n web:80
        RemoteForward 9090 localhost:90
        RemoteForward [::1]:9091 localhost:91
        DynamicForward 1080
        DynamicForward *:1081
        GatewayPorts yes
        ExitOnForwardFailure yes
        %% -L 1:h:2 -R 3:h:4 -D 5 forwards
        ClearAllForwardings yes
        LocalForward 8080 localhost:80
        %% -L 1:h:2 -R 3:h:4 -D 5 -D a:6 forwards
        LocalForward 8080 localhost:80
        StreamLocalBindUnlink yes
        %% env
        SendEnv A B_*
        SendEnv C -B* D
        SetEnv X=1 Y="2 3" X=4
        SetEnv Z=5
        %% -o SendEnv=-A -o SetEnv=G=1 env
        SendEnv A
        SetEnv X=1
        %% program
        RequestTTY force
        RemoteCommand echo %h '%n' %% done
        PermitLocalCommand yes
        LocalCommand echo %h %n
        StdinNull yes
        SessionType none
        ForkAfterAuthentication yes
        %% -N -n -f program
        RequestTTY yes
        SessionType subsystem
        %% -t program
        RequestTTY no
        %% -tt -q program
        LogLevel VERBOSE
        %% -vv program
        LogLevel ERROR
        %% program
        LogLevel debug1
        %% -T program
        RequestTTY auto
        SessionType default
        %% times
        ConnectTimeout 1m30s
        ServerAliveInterval 2h
        ServerAliveCountMax 5
        %% times
        Host times
          ConnectTimeout none
        Host *
          ConnectTimeout 7
        %% -4 family
        AddressFamily inet6
        BindAddress 127.0.0.1
        %% -b ::1 -B lo family
        AddressFamily inet6
        %% auth
        PreferredAuthentications publickey,password
        PubkeyAuthentication no
        PasswordAuthentication no
        %% auth
        PubkeyAuthentication yes
        PreferredAuthentications keyboard-interactive,publickey
        %% algorithms
        Ciphers aes256-ctr,aes128-ctr
        MACs hmac-sha2-512,hmac-sha1
        KexAlgorithms ecdh-sha2-nistp384,curve25519-sha256
        HostKeyAlgorithms ssh-ed25519,ecdsa-sha2-nistp256
        PubkeyAcceptedAlgorithms ecdsa-sha2-nistp521,ssh-ed25519
        %% -c aes192-ctr -m hmac-sha2-256 algorithms
        Ciphers aes256-ctr
        MACs hmac-sha1
        %% -o Ciphers=aes256-ctr -c aes192-ctr algorithms
        PubkeyAcceptedKeyTypes ssh-ed25519
        %% canonical
        CanonicalizeHostname yes
        CanonicalDomains none
        Host canonical
          HostName canonical.example
        Match canonical host canonical.example
          User late
        Host *.example
          Port 77
        %% canonical.host.name
        CanonicalizeHostname always
        CanonicalizeMaxDots 0
        Match canonical all
          User late
        %% old
        Cipher 3des
        Protocol 2
        RSAAuthentication yes
        UsePrivilegedPort no
        UseRoaming no
        CompressionLevel 9
        FallBackToRsh no
        Port 5
        %% -o Protocol=2 -o Cipher=3des -o RhostsRSAAuthentication=no -o UseRsh=no -o DSAAuthentication=yes old
        User x
        %% unknown
        IgnoreUnknown Nonsense*,Other
        NonsenseOption x
        Other y
        User x
        %% -a -x -o ForwardAgent=no -o ForwardX11=no off
        User x
        %% ::1
        Host ::1
          User six
        %% 127.1
        Host 127.*
          User four
        %% %tokens
        User x
        %% zone
        HostName fe80::1%%lo
        """
}
