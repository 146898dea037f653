import Core
import Foundation
@testable import SecureShell
import TestSupport
import Testing

/// Key files, compared with those from ssh-keygen.
@Suite struct LibraryKeyPairSourceTests {
    private let source = LibraryKeyPairSource()

    @Test(arguments: [KeyKind.ed25519, .ecdsa, .rsa(bits: 2048)])
    func `ssh-keygen accepts a generated key and derives the same public key`(_ kind: KeyKind) async throws {
        let scratch = try ScratchDirectory()
        let pair = try source.generate(kind, comment: "ann@laptop 1")
        let file = try scratch.write(String(decoding: pair.privateKey.bytes, as: UTF8.self), to: "key", mode: 0o600)
        let line = try await ProgramCall("ssh-keygen", ["-y", "-f", file]).check()
        #expect(line == pair.publicKey.line + "\n")
        let publicFile = try scratch.write(pair.publicKey.line + "\n", to: "key.pub")
        let bits = try #require(pair.publicKey.bits)
        #expect(try await ProgramCall("ssh-keygen", ["-l", "-f", publicFile]).check().hasPrefix("\(bits) SHA256:"))
        #expect(!pair.isEncrypted)
    }

    /// Numbers with leading zero bits, or with a leading one bit, are encoded with a different length; some keys
    /// contain such numbers.
    @Test func `ssh-keygen accepts many generated keys`() async throws {
        let scratch = try ScratchDirectory()
        var expected = ""
        var files: [String] = []
        for number in 0..<150 {
            let pair = try source.generate(number % 2 == 0 ? .ecdsa : .ed25519, comment: "\(number)")
            let text = String(decoding: pair.privateKey.bytes, as: UTF8.self)
            files.append(try scratch.write(text, to: "key\(number)", mode: 0o600))
            expected += pair.publicKey.line + "\n"
        }
        let script = #"for file; do ssh-keygen -y -f "$file" || exit; done"#
        let lines = try await ProgramCall("/bin/sh", ["-c", script, "sh"] + files).check()
        #expect(lines == expected)
    }

    @Test(arguments: [KeyKind.ed25519, .ecdsa, .rsa(bits: 2048)])
    func `parses what it writes`(_ kind: KeyKind) throws {
        let pair = try source.generate(kind, comment: "a comment")
        let parsed = try source.parse(pair.privateKey.bytes, name: "k", comment: "other")
        #expect(parsed.publicKey == pair.publicKey)
        #expect(parsed.privateKey == pair.privateKey)
    }

    @Test(arguments: [
        ["-t", "ed25519"], ["-t", "ecdsa", "-b", "256"], ["-t", "ecdsa", "-b", "384"], ["-t", "ecdsa", "-b", "521"],
        ["-t", "rsa", "-b", "2048"],
        ["-t", "rsa", "-b", "2048", "-m", "PEM"], ["-t", "rsa", "-b", "2048", "-m", "PKCS8"],
        ["-t", "ecdsa", "-b", "256", "-m", "PEM"], ["-t", "ecdsa", "-b", "521", "-m", "PKCS8"],
    ])
    func `parses an ssh-keygen key in each format, with any line endings`(_ options: [String]) async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path("key")
        try await ProgramCall("ssh-keygen", options + ["-N", "", "-C", "c d", "-q", "-f", path]).check()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let dos = "\u{feff}\r\n  " + text.replacing("\n", with: "\r\n") + "\r\n\r\n"
        let pair = try source.parse(Array(dos.utf8), name: "key", comment: "c d")
        #expect(pair.publicKey.line + "\n" == (try String(contentsOfFile: path + ".pub", encoding: .utf8)))
        let stored = try scratch.write(
            String(decoding: pair.privateKey.bytes, as: UTF8.self),
            to: "stored",
            mode: 0o600
        )
        #expect(try await ProgramCall("ssh-keygen", ["-y", "-f", stored]).check() == pair.publicKey.line + "\n")
    }

    @Test func `keeps an encrypted key as it is`() async throws {
        let keys = try await KeyRing.user()
        let contents = try Data(contentsOf: URL(fileURLWithPath: keys.path(.encrypted)))
        let pair = try source.parse(Array(contents), name: "key", comment: "encrypted")
        #expect(pair.isEncrypted)
        #expect(pair.privateKey.bytes == Array(contents))
        #expect(pair.publicKey.line == (try keys.publicLine(.encrypted)))
    }

    @Test func `rejects what is not a usable private key`() async throws {
        let keys = try await KeyRing.user()
        let line = try keys.publicLine(.ed25519)
        let text = try String(contentsOfFile: keys.path(.ed25519), encoding: .utf8)
        let encrypted = try await ProgramCall(
            "openssl",
            ["genpkey", "-algorithm", "ed25519", "-aes256", "-pass", "pass:secret"]
        ).check()
        let short = text.split(separator: "\n").dropLast(2).joined(separator: "\n")
        for contents in [line, "", "garbage", text.replacing("b3BlbnNzaC", with: "b3BlbnNzaD"), short, encrypted] {
            #expect(throws: VTError.self, "\(contents)") {
                try source.parse(Array(contents.utf8), name: "key", comment: "")
            }
        }
    }

    /// Replaces each byte of the decoded file in turn; whatever is accepted is still the same public key.
    @Test func `a changed byte leads neither to a different key nor to a crash`() throws {
        let pair = try source.generate(.ed25519, comment: "c")
        let text = String(decoding: pair.privateKey.bytes, as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        let bytes = try #require(Base64.decode(Array(lines.dropFirst().dropLast().joined().utf8)))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x41
            let file = [lines[0], Base64.encode(changed), lines[lines.count - 1]].joined(separator: "\n")
            guard let parsed = try? source.parse(Array(file.utf8), name: "key", comment: "") else { continue }
            #expect(parsed.publicKey.blob == pair.publicKey.blob || parsed.isEncrypted)
        }
    }
}
