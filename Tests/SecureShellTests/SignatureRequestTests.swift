import Core
import Testing

@testable import SecureShell

struct SignatureRequestTests {
    private static let rsaKey = key("ssh-rsa")
    private static let edKey = key("ssh-ed25519")

    private static func key(_ type: String) -> [UInt8] {
        var key: [UInt8] = []
        key.appendString(Array(type.utf8))
        key.appendString([UInt8](repeating: 7, count: 64))
        return key
    }

    /// The data that a client signs to authenticate (RFC 4252 §7).
    private static func data(
        service: String = "ssh-connection",
        hasSignature: UInt8 = 1,
        algorithm: String,
        key: [UInt8],
        rest: [UInt8] = []
    ) -> [UInt8] {
        var data: [UInt8] = []
        data.appendString([UInt8](repeating: 1, count: 32))
        data.append(50)
        for text in ["user", service, "publickey"] { data.appendString(Array(text.utf8)) }
        data.append(hasSignature)
        data.appendString(Array(algorithm.utf8))
        data.appendString(key)
        return data + rest
    }

    @Test func `signs a login with the key and its algorithm`() {
        let rsa = SignatureRequest(publicKey: Self.rsaKey, type: "ssh-rsa")
        let data = Self.data(algorithm: "rsa-sha2-256", key: Self.rsaKey)
        #expect(rsa.accept(data))
        #expect(rsa.takeData() == data)
        #expect(rsa.takeData() == nil)
        let ed = SignatureRequest(publicKey: Self.edKey, type: "ssh-ed25519")
        #expect(ed.accept(Self.data(algorithm: "ssh-ed25519", key: Self.edKey)))
    }

    @Test(arguments: [
        data(algorithm: "ssh-rsa", key: rsaKey),
        data(algorithm: "rsa-sha2-512", key: rsaKey),
        data(algorithm: "rsa-sha2-256", key: edKey),
        data(algorithm: "rsa-sha2-256", key: [0, 0, 0, 12] + Array("rsa-sha2-256".utf8) + rsaKey.dropFirst(16)),
        data(service: "ssh-userauth", algorithm: "rsa-sha2-256", key: rsaKey),
        data(hasSignature: 0, algorithm: "rsa-sha2-256", key: rsaKey),
        data(algorithm: "rsa-sha2-256", key: rsaKey, rest: [0]),
        Array(data(algorithm: "rsa-sha2-256", key: rsaKey).dropLast()),
        [],
    ])
    func `refuses to sign any other data`(_ data: [UInt8]) {
        let request = SignatureRequest(publicKey: Self.rsaKey, type: "ssh-rsa")
        #expect(!request.accept(data))
        #expect(request.takeData() == nil)
        #expect(request.isMismatched)
    }

    @Test func `the algorithm is substituted for the type of an RSA key once, and for no other type`() {
        let rsa = SignatureRequest(publicKey: Self.rsaKey, type: "ssh-rsa")
        #expect(rsa.takeSubstitute() == [0, 0, 0, 12] + Array("rsa-sha2-256".utf8))
        #expect(rsa.takeSubstitute() == nil)
        #expect(SignatureRequest(publicKey: Self.edKey, type: "ssh-ed25519").takeSubstitute() == nil)
    }

    @Test func `the signature for a certificate names the algorithm of its key`() throws {
        let request = SignatureRequest(publicKey: Self.edKey, type: "ssh-ed25519-cert-v01@openssh.com")
        #expect(request.algorithm == "ssh-ed25519-cert-v01@openssh.com" && request.signatureAlgorithm == "ssh-ed25519")
        let signature = [UInt8](0..<64)
        let substitute = try #require(request.substitute(for: signature))
        // What libssh2 writes has the length of what is correct, which includes the length of the name.
        #expect(substitute.written.count == substitute.correct.count && substitute.passed.count == 43)
        var reader = WireReader(substitute.correct[...])
        #expect(reader.text() == "ssh-ed25519")
        #expect(reader.string().map { Array($0) } == signature)
        #expect(SignatureRequest(publicKey: Self.edKey, type: "ssh-ed25519").substitute(for: signature) == nil)
        let rsa = SignatureRequest(publicKey: Self.rsaKey, type: "ssh-rsa-cert-v01@openssh.com")
        #expect(rsa.algorithm == "rsa-sha2-256-cert-v01@openssh.com" && rsa.signatureAlgorithm == "rsa-sha2-256")
    }
}
