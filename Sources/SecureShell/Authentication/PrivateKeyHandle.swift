import CLibCrypto
import Core

/// A private key in libcrypto, wiped and freed exactly once.
@safe
struct PrivateKeyHandle: ~Copyable {
    private let raw: OpaquePointer

    /// The numbers of an RSA key (RFC 8017 §3.2), big-endian.
    struct RSANumbers {
        var modulus: ArraySlice<UInt8>
        var publicExponent: ArraySlice<UInt8>
        var privateExponent: ArraySlice<UInt8>
        var firstPrime: ArraySlice<UInt8>
        var secondPrime: ArraySlice<UInt8>
        /// The inverse of the second prime modulo the first.
        var coefficient: ArraySlice<UInt8>
    }

    private init?(_ raw: OpaquePointer?) {
        // Leave no errors in the queue for the next caller of libcrypto.
        ERR_clear_error()
        guard let raw = unsafe raw else { return nil }
        unsafe self.raw = raw
    }

    /// Parses a PEM file (RFC 1421 §4.6.1.1, RFC 7468 §10 and §11); nil on failure, such as a wrong passphrase.
    init?(pem text: UnsafeRawBufferPointer, passphrase: Secret?) {
        guard let length = CInt(exactly: text.count), let bio = unsafe BIO_new_mem_buf(text.baseAddress, length) else {
            return nil
        }
        defer { unsafe BIO_free(bio) }
        let bytes = passphrase?.bytes ?? []
        unsafe self.init(
            bytes.withUnsafeBytes { bytes in
                var passphrase = unsafe bytes
                return unsafe PEM_read_bio_PrivateKey(bio, nil, passphraseCallback, &passphrase)
            }
        )
    }

    /// Parses the output of `der`; the corresponding C function is `d2i_AutoPrivateKey`.
    init?(der bytes: UnsafeRawBufferPointer) {
        var start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
        unsafe self.init(d2i_AutoPrivateKey(nil, &start, bytes.count))
    }

    /// Creates an RSA key from its numbers; the corresponding C function is `EVP_PKEY_fromdata`.
    init?(_ numbers: RSANumbers) {
        unsafe self.init(RSAKeyBuilder(numbers)?.build())
    }

    /// Generates a key; the corresponding C function is `EVP_PKEY_generate`.
    init?(generating kind: KeyKind) {
        let name =
            switch kind {
            case .ed25519: "ED25519"
            case .ecdsa: "EC"
            case .rsa: "RSA"
            }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, name, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_keygen_init(context) == 1 else { return nil }
        switch kind {
        case .ed25519: break
        case .ecdsa: guard unsafe EVP_PKEY_CTX_set_group_name(context, "P-256") == 1 else { return nil }
        case .rsa(let bits):
            guard let bits = CInt(exactly: bits), unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1 else {
                return nil
            }
        }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_generate(context, &key) == 1 else { return nil }
        unsafe self.init(key)
    }

    /// Creates an Ed25519 key from its 32-byte seed (RFC 8032 §5.1.5).
    init?(ed25519Seed seed: ArraySlice<UInt8>) {
        unsafe self.init(
            seed.withUnsafeBufferPointer { seed in
                unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed.baseAddress, seed.count)
            }
        )
    }

    deinit {
        unsafe EVP_PKEY_free(raw)
    }

    /// Whether this is an RSA key; the corresponding C function is `EVP_PKEY_get_base_id`.
    var isRSA: Bool { unsafe EVP_PKEY_get_base_id(raw) == EVP_PKEY_RSA }
    var isDSA: Bool { unsafe EVP_PKEY_get_base_id(raw) == EVP_PKEY_DSA }

    /// The public half of an RSA key in wire format (RFC 4253 §6.6).
    var rsaPublicKey: [UInt8]? {
        guard let exponent = number(OSSL_PKEY_PARAM_RSA_E), let modulus = number(OSSL_PKEY_PARAM_RSA_N) else {
            return nil
        }
        var blob: [UInt8] = []
        blob.appendString(Array("ssh-rsa".utf8))
        blob.appendString(exponent)
        blob.appendString(modulus)
        return blob
    }

    /// The two halves of an Ed25519 key, of 32 bytes each; nil for another type.
    var ed25519Keys: (publicKey: [UInt8], seed: [UInt8])? {
        guard unsafe EVP_PKEY_get_base_id(raw) == EVP_PKEY_ED25519 else { return nil }
        var publicKey = [UInt8](repeating: 0, count: 32)
        var seed = publicKey
        var (publicCount, seedCount) = (publicKey.count, seed.count)
        guard unsafe EVP_PKEY_get_raw_public_key(raw, &publicKey, &publicCount) == 1,
            unsafe EVP_PKEY_get_raw_private_key(raw, &seed, &seedCount) == 1, publicCount == 32, seedCount == 32
        else { return nil }
        return (publicKey, seed)
    }

    /// The name of an ECDSA key's curve, such as `prime256v1`; nil for another type.
    var curve: String? {
        guard unsafe EVP_PKEY_get_base_id(raw) == EVP_PKEY_EC else { return nil }
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard unsafe EVP_PKEY_get_group_name(raw, &name, name.count, &count) == 1, count < name.count else {
            return nil
        }
        return String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The public half of an ECDSA key, uncompressed (SEC 1 §2.3.3).
    var curvePoint: [UInt8]? {
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = unsafe EVP_PKEY_get1_encoded_public_key(raw, &encoded)
        guard count > 0, let encoded = unsafe encoded else { return nil }
        defer { unsafe CRYPTO_free(encoded, nil, 0) }
        let point = unsafe Array(UnsafeBufferPointer(start: encoded, count: count))
        return point.first == 4 ? point : nil
    }

    /// A number of the key as an mpint (RFC 4251 §5); the names are those of EVP_PKEY-RSA(7) and EVP_PKEY-EC(7).
    func number(_ name: String) -> [UInt8]? {
        var value: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(raw, name, &value) == 1, let value = unsafe value else { return nil }
        defer { unsafe BN_clear_free(value) }
        let count = (unsafe Int(BN_num_bits(value)) + 7) / 8
        var bytes = [UInt8](repeating: 0, count: count)
        unsafe BN_bn2bin(value, &bytes)
        return (bytes.first ?? 0) & 0x80 == 0 ? bytes : [0] + bytes
    }

    /// The key in DER, copied from a buffer that is then wiped; the corresponding C function is `i2d_PrivateKey`.
    var der: WipedBytes? {
        var encoded: UnsafeMutablePointer<UInt8>?
        let length = Int(unsafe i2d_PrivateKey(raw, &encoded))
        guard length > 0, let encoded = unsafe encoded else { return nil }
        defer {
            unsafe OPENSSL_cleanse(encoded, length)
            unsafe CRYPTO_free(encoded, nil, 0)
        }
        return unsafe WipedBytes(copying: UnsafeRawBufferPointer(start: encoded, count: length))
    }

    /// Signs with SHA-256 and PKCS #1 v1.5 (RFC 8332 §3) or, for Ed25519, according to RFC 8032; the corresponding C
    /// function is `EVP_DigestSign`.
    func signature(of data: [UInt8]) -> [UInt8]? {
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        defer {
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        var count = 0
        let digest = unsafe EVP_PKEY_get_base_id(raw) == EVP_PKEY_ED25519 ? nil : EVP_sha256()
        guard unsafe EVP_DigestSignInit(context, nil, digest, nil, raw) == 1,
            unsafe EVP_DigestSign(context, nil, &count, data, data.count) == 1
        else { return nil }
        var signature = [UInt8](repeating: 0, count: count)
        guard unsafe EVP_DigestSign(context, &signature, &count, data, data.count) == 1 else { return nil }
        return Array(signature.prefix(count))
    }
}

/// Provides the passphrase; fails without one, because libcrypto's default callback would prompt on the terminal.
private let passphraseCallback:
    @convention(c) (UnsafeMutablePointer<CChar>?, CInt, CInt, UnsafeMutableRawPointer?) -> CInt = {
        buffer,
        capacity,
        _,
        context in
        guard let buffer = unsafe buffer, let context = unsafe context else { return -1 }
        let passphrase = unsafe context.load(as: UnsafeRawBufferPointer.self)
        guard passphrase.count > 0, passphrase.count <= Int(capacity) else { return -1 }
        unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(capacity)).copyMemory(from: passphrase)
        return CInt(passphrase.count)
    }
