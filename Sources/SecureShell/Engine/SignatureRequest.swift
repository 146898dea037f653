import Core

/// libssh2's request to sign data with a key, and the resulting signature.
@safe
final class SignatureRequest {
    /// The state of the signature.
    enum Answer {
        case pending
        case signature([UInt8])
        case refused
    }

    /// The public key in wire format (RFC 4253 §6.6).
    let publicKey: [UInt8]
    /// The algorithm of the login (RFC 4253 §6.6, RFC 8332 §3), which names the type of a certificate.
    let algorithm: String
    /// The algorithm of the signature itself, which is a different one for a certificate.
    let signatureAlgorithm: String
    /// A copy of the public key at a fixed address.
    let memory: UnsafeMutableRawPointer
    /// The data to be signed, once libssh2 has requested the signature.
    private(set) var data: [UInt8]?
    var answer = Answer.pending
    /// The allocator of the session that uses this request.
    var sessionMemory: SessionMemory?
    /// Whether libssh2 has requested a signature of data other than the authentication request for this key.
    private(set) var isMismatched = false
    private var hasBegun = false

    /// `publicKey` must be of the given type.
    init(publicKey: [UInt8], type: String) {
        self.publicKey = publicKey
        algorithm = Self.algorithm(ofKeyType: type)
        signatureAlgorithm = UserCertificate.plainType(of: algorithm) ?? algorithm
        unsafe memory = .allocate(byteCount: max(1, publicKey.count), alignment: 1)
        unsafe UnsafeMutableRawBufferPointer(start: memory, count: publicKey.count).copyBytes(from: publicKey)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// The algorithm with which keys of a type sign.
    static func algorithm(ofKeyType type: String) -> String {
        // Every server that supports SHA-2 supports this algorithm; Dropbear supports no other.
        type == "ssh-rsa" || type.hasPrefix("ssh-rsa-cert-") ? "rsa-sha2-256" + type.dropFirst("ssh-rsa".count) : type
    }

    /// The bytes to pass to libssh2 as the signature, and those with which to replace it and the name before it.
    ///
    /// libssh2 1.10 writes the login's algorithm before the signature, instead of the signature's algorithm. So that
    /// both parts can be replaced later, it is given fewer bytes, by as many as the written name is longer.
    func substitute(for signature: [UInt8]) -> (passed: [UInt8], written: [UInt8], correct: [UInt8])? {
        let excess = algorithm.utf8.count - signatureAlgorithm.utf8.count
        guard excess > 0, signature.count > excess + 16 else { return nil }
        let passed = Array(signature.dropLast(excess))
        var (written, correct): ([UInt8], [UInt8]) = ([], [])
        written.appendString(Array(algorithm.utf8))
        written.appendString(passed)
        correct.appendString(Array(signatureAlgorithm.utf8))
        correct.appendString(signature)
        return (passed, written, correct)
    }

    /// Returns the encoded algorithm name, which the caller writes over the start of the key until libssh2 has read it.
    ///
    /// Returns nil if the key already starts with this name or is too short, or if this is not the first call.
    func takeSubstitute() -> [UInt8]? {
        defer { hasBegun = true }
        var name: [UInt8] = []
        name.appendString(Array(algorithm.utf8))
        guard !hasBegun, !publicKey.starts(with: name), publicKey.count > 2 * name.count else { return nil }
        return name
    }

    /// Stores the data to be signed; returns false unless it is a login with this key and algorithm (RFC 4252 §7).
    ///
    /// Other versions of libssh2 might allocate memory in a different order; this check ensures that no other data is
    /// signed.
    func accept(_ data: [UInt8]) -> Bool {
        var reader = WireReader(data[...])
        guard reader.string() != nil, reader.byte() == 50, reader.string() != nil,
            reader.text() == "ssh-connection", reader.text() == "publickey", reader.byte() == 1,
            reader.text() == algorithm, let key = reader.string(), key.elementsEqual(publicKey), reader.isAtEnd
        else {
            isMismatched = true
            return false
        }
        self.data = data
        return true
    }

    /// Returns the data to be signed, once; nil if there is none.
    func takeData() -> [UInt8]? {
        defer { data = nil }
        return data
    }
}
