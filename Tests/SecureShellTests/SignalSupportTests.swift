import Testing

@testable import SecureShell

struct SignalSupportTests {
    @Test(arguments: [
        ("SSH-2.0-OpenSSH_7.8", false, false), ("SSH-2.0-OpenSSH_7.9p1 Debian-10", true, false),
        ("SSH-2.0-OpenSSH_9.7", true, false), ("SSH-2.0-OpenSSH_9.8p1", true, true),
        ("SSH-2.0-OpenSSH_10.0p2 Debian-7", true, true), ("SSH-2.0-OpenSSH_for_Windows_9.5", false, false),
        ("SSH-2.0-dropbear_2022.83", false, false), ("SSH-2.0-Go", false, false), ("", false, false),
    ])
    func `a server delivers signals to users, and since OpenSSH 9.8 to root`(
        _ identification: String,
        _ toUsers: Bool,
        _ toRoot: Bool
    ) {
        let support = SignalSupport(identification)
        #expect(support.includes(user: "deploy") == toUsers)
        #expect(support.includes(user: "root") == toRoot)
    }

    @Test(arguments: [
        ("/root/.ssh/authorized_keys:1: key options: agent-forwarding command port-forwarding pty", true),
        ("/home/a: key options: command/keys:2: key options: agent-forwarding pty", false),
        ("/root/.ssh/authorized_keys:1: key options:", false),
    ])
    func `the options of a key show whether it is for one command`(_ message: String, _ forcesCommand: Bool) {
        #expect(SSHMessage.forcesCommand(message) == forcesCommand)
    }

    @Test func `other messages are not about a key`() {
        #expect(SSHMessage.forcesCommand("X11 forwarding disabled; command") == nil)
    }
}
