import Core
import Testing

@testable import SecureShell

struct AlgorithmPreferenceSolutionTests {
    /// A server's algorithms, whether libssh2 1.11 supports one of them, and whether OpenSSH does.
    struct Case: Sendable {
        var kind: AlgorithmKind
        var theirs: [String]
        var later: Bool
        var openSSH: Bool
    }

    @Test(arguments: [
        Case(kind: .mac, theirs: ["hmac-sha2-512-etm@openssh.com"], later: true, openSSH: true),
        Case(kind: .mac, theirs: ["umac-128-etm@openssh.com"], later: false, openSSH: true),
        Case(kind: .mac, theirs: ["hmac-md5"], later: false, openSSH: false),
        Case(kind: .cipher, theirs: ["chacha20-poly1305@openssh.com"], later: true, openSSH: true),
        Case(kind: .cipher, theirs: ["aes256-gcm@openssh.com"], later: true, openSSH: true),
        Case(kind: .hostKey, theirs: ["rsa-sha2-512", "rsa-sha2-256"], later: true, openSSH: true),
        Case(kind: .hostKey, theirs: ["ssh-dss"], later: false, openSSH: false),
        Case(
            kind: .keyExchange,
            theirs: ["sntrup761x25519-sha512@openssh.com", "kex-strict-s-v00@openssh.com"],
            later: false,
            openSSH: true
        ),
        Case(kind: .keyExchange, theirs: ["mlkem768x25519-sha256"], later: false, openSSH: true),
        Case(kind: .keyExchange, theirs: ["diffie-hellman-group1-sha1"], later: false, openSSH: false),
    ])
    func `knows which library or program supports a server's algorithms`(_ example: Case) {
        #expect(AlgorithmPreference.isSolvedByLaterLibrary(example.kind, example.theirs) == example.later)
        #expect(AlgorithmPreference.isSolvedByOpenSSH(example.kind, example.theirs) == example.openSSH)
    }
}
