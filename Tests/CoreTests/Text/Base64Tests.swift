import Core
import Testing

@Suite struct Base64Tests {
    /// The test vectors of RFC 4648 §10.
    @Test(
        arguments: zip(
            ["", "f", "fo", "foo", "foob", "fooba", "foobar"],
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]
        )
    )
    func `encodes and decodes the test vectors of the standard`(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(Array(encoded.utf8)) == Array(plain.utf8))
    }

    @Test func `encoding and decoding preserve all byte values`() {
        let bytes = Array(UInt8.min...UInt8.max)
        #expect(Base64.decode(Array(Base64.encode(bytes).utf8)) == bytes)
    }

    @Test func `fingerprints have no padding`() {
        #expect(Base64.encode([0xff], padded: false) == "/w")
    }

    @Test(arguments: ["Zg", "Zg=", "Zg===", "Z===", "Zh==", "Zm9=", "Zm 9", "Zm9v\n", "=", "====", "Zg==Zg=="])
    func `rejects invalid Base64`(text: String) {
        #expect(Base64.decode(Array(text.utf8)) == nil)
    }
}
