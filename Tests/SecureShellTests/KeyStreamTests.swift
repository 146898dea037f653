import CKeyStream
import CLibCrypto
import TestSupport
import Testing

/// The buffered AES-CTR of `CKeyStream`, compared with that of OpenSSL's default provider.
@Suite struct KeyStreamTests {
    /// A cipher context of a provider, which encrypts in calls of any length.
    private final class Cipher {
        private let context: OpaquePointer

        init(_ name: String, provider: String) throws {
            let cipher = EVP_CIPHER_fetch(nil, name, "provider=\(provider)")
            context = try #require(EVP_CIPHER_CTX_new())
            try #require(EVP_CipherInit_ex(context, cipher, nil, nil, nil, 1) == 1, "no \(name) of \(provider)")
            EVP_CIPHER_free(cipher)
        }

        deinit {
            EVP_CIPHER_CTX_free(context)
        }

        /// Sets the key, unless it is nil, and the initial counter.
        func start(key: [UInt8]?, counter: [UInt8]) {
            #expect(EVP_CipherInit_ex(context, nil, nil, key, counter, 1) == 1)
        }

        /// Encrypts bytes in place, as libssh2 does.
        func encrypt(_ bytes: inout ArraySlice<UInt8>) {
            let count = UInt32(bytes.count)
            let result = bytes.withUnsafeMutableBufferPointer {
                EVP_Cipher(context, $0.baseAddress, $0.baseAddress, count)
            }
            #expect(result == CInt(count))
        }
    }

    @Test(arguments: [(128, 16), (192, 24), (256, 32)])
    func `calls of any length give the same bytes`(bits: Int, keyBytes: Int) throws {
        try #require(vt_keystream_init() == 1)
        var random = SeededGenerator(seed: UInt64(bits))
        let name = "AES-\(bits)-CTR"
        let ciphers = try [Cipher(name, provider: "default"), Cipher(name, provider: "vt-keystream")]
        // The last counters overflow 32, 64 and 128 bits.
        for counterTail in [0, 4, 8, 16] {
            let key = (0..<keyBytes).map { _ in UInt8.random(in: 0...255, using: &random) }
            let counter = [UInt8](repeating: 7, count: 16 - counterTail) + [UInt8](repeating: 255, count: counterTail)
            for cipher in ciphers { cipher.start(key: key, counter: counter) }
            for round in 0..<300 {
                let length = round % 3 == 0 ? 16 : Int.random(in: 1...6000, using: &random)
                let plain = ArraySlice((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) })
                var (expected, actual) = (plain, plain)
                ciphers[0].encrypt(&expected)
                ciphers[1].encrypt(&actual)
                try #require(actual == expected, "\(length) bytes in round \(round)")
                // A new counter discards what has been buffered.
                if round == 150 { for cipher in ciphers { cipher.start(key: nil, counter: counter) } }
            }
        }
    }

    @Test func `ciphers without a named provider use it, and nothing else does`() throws {
        try #require(vt_keystream_init() == 1)
        for (name, provider) in [
            ("AES-256-CTR", "vt-keystream"), ("AES-256-GCM", "default"), ("AES-256-CBC", "default"),
        ] {
            let cipher = try #require(EVP_CIPHER_fetch(nil, name, nil))
            defer { EVP_CIPHER_free(cipher) }
            let actual = String(cString: OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(cipher)))
            #expect(actual == provider, "\(name)")
        }
    }
}
