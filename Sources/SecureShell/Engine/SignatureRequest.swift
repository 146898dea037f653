import Core

/// What libssh2 wants signed with a key, and the signature once there is one.
@safe
final class SignatureRequest {
    /// What came of asking.
    enum Answer {
        case pending
        case signature([UInt8])
        case refused
    }

    /// The public key in wire form (RFC 4253 §6.6).
    let publicKey: [UInt8]
    /// The signature algorithm (RFC 4253 §6.6, RFC 8332 §3).
    let algorithm: String
    /// The public key again, at an address that stays.
    let memory: UnsafeMutableRawPointer
    /// Set when libssh2 asks.
    private(set) var data: [UInt8]?
    var answer = Answer.pending
    /// Whether something else was to be signed than a login with this key.
    private(set) var isMismatched = false
    private var hasBegun = false

    /// `publicKey` is of the type that it is said to be.
    init(publicKey: [UInt8], type: String) {
        self.publicKey = publicKey
        // Every server that takes SHA-2 takes this one; Dropbear takes no other.
        algorithm = type == "ssh-rsa" ? "rsa-sha2-256" : type
        unsafe memory = .allocate(byteCount: max(1, publicKey.count), alignment: 1)
        unsafe UnsafeMutableRawBufferPointer(start: memory, count: publicKey.count).copyBytes(from: publicKey)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// What the key is to begin with until libssh2 has read the algorithm; nil where the key's type is the algorithm, and
    /// after the first call.
    func takeSubstitute() -> [UInt8]? {
        defer { hasBegun = true }
        var name: [UInt8] = []
        name.appendString(Array(algorithm.utf8))
        guard !hasBegun, !publicKey.starts(with: name), publicKey.count > 2 * name.count else { return nil }
        return name
    }

    /// Keeps what is to be signed; false when that is no login with this key and this algorithm (RFC 4252 §7).
    ///
    /// Another library than libssh2 1.10 may allocate memory in another order: nothing wrong is ever signed then.
    func ask(for data: [UInt8]) -> Bool {
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

    /// What is to be signed, once.
    func takeData() -> [UInt8]? {
        defer { data = nil }
        return data
    }
}
