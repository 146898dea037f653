import CLibCrypto

/// Builds a libcrypto RSA key from its numbers; wipes all secrets when it is destroyed.
@safe
struct RSAKeyBuilder: ~Copyable {
    private let numbers: [(name: StaticString, value: OpaquePointer)]

    /// `EVP_PKEY_KEYPAIR` from openssl/evp.h, a macro that Swift does not import; selects the complete key pair.
    private static let keyPair: CInt = 0x87

    /// Returns nil if memory is exhausted, or a prime is invalid.
    init?(_ key: PrivateKeyHandle.RSANumbers) {
        var numbers: [(name: StaticString, value: OpaquePointer)] = unsafe []
        var isComplete = true
        func add(_ name: StaticString, _ value: OpaquePointer?) {
            if let value = unsafe value { unsafe numbers.append((name, value)) } else { isComplete = false }
        }
        // The parameter names (EVP_PKEY-RSA(7)) are not copied, so they must be static.
        unsafe add("n", Self.number(key.modulus))
        unsafe add("e", Self.number(key.publicExponent))
        unsafe add("d", Self.number(key.privateExponent))
        unsafe add("rsa-factor1", Self.number(key.firstPrime))
        unsafe add("rsa-factor2", Self.number(key.secondPrime))
        unsafe add("rsa-exponent1", Self.exponent(key.privateExponent, for: key.firstPrime))
        unsafe add("rsa-exponent2", Self.exponent(key.privateExponent, for: key.secondPrime))
        unsafe add("rsa-coefficient1", Self.number(key.coefficient))
        unsafe self.numbers = numbers
        guard isComplete else { return nil }
    }

    deinit {
        unsafe numbers.forEach { unsafe BN_clear_free($0.value) }
    }

    /// Returns the key, which the caller must free; nil if libcrypto rejects it.
    func build() -> OpaquePointer? {
        guard let builder = unsafe OSSL_PARAM_BLD_new() else { return nil }
        defer { unsafe OSSL_PARAM_BLD_free(builder) }
        let isPushed = unsafe numbers.allSatisfy { name, value in
            let name = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
            return unsafe OSSL_PARAM_BLD_push_BN(builder, name, value) == 1
        }
        guard isPushed else { return nil }
        guard let parameters = unsafe OSSL_PARAM_BLD_to_param(builder) else { return nil }
        defer {
            unsafe Self.wipe(parameters)
            unsafe OSSL_PARAM_free(parameters)
        }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_fromdata_init(context) == 1,
            unsafe EVP_PKEY_fromdata(context, &key, Self.keyPair, parameters) == 1
        else { return nil }
        return unsafe key
    }

    private static func wipe(_ parameters: UnsafeMutablePointer<OSSL_PARAM>) {
        var next = unsafe parameters
        while unsafe next.pointee.key != nil {
            unsafe OPENSSL_cleanse(next.pointee.data, next.pointee.data_size)
            unsafe next += 1
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> OpaquePointer? {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let count = CInt(exactly: buffer.count) else { return nil }
            return unsafe BN_bin2bn(buffer.baseAddress, count, nil)
        }
    }

    /// The private exponent modulo the prime minus one (RFC 8017 §3.2).
    private static func exponent(_ exponent: ArraySlice<UInt8>, for prime: ArraySlice<UInt8>) -> OpaquePointer? {
        let modulus = unsafe number(prime)
        let value = unsafe number(exponent)
        let context = unsafe BN_CTX_new()
        let result = unsafe BN_new()
        defer {
            unsafe BN_clear_free(modulus)
            unsafe BN_clear_free(value)
            unsafe BN_CTX_free(context)
        }
        guard unsafe result != nil, unsafe BN_sub_word(modulus, 1) == 1,
            unsafe BN_div(nil, result, value, modulus, context) == 1
        else {
            unsafe BN_clear_free(result)
            return nil
        }
        return unsafe result
    }
}
