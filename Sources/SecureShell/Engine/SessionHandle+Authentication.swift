import CGuardedSSH2
import CLibSSH2
import Core
import Glibc

extension SessionHandle {
    /// Requests the server's methods with the method `none` (RFC 4252 §5.2); returns nil on EAGAIN.
    ///
    /// An empty list means that the server required no authentication, if `isAuthenticated` is true. The corresponding
    /// C function is `libssh2_userauth_list`.
    func authenticationMethods(user: String) throws(SSHFailure) -> [String]? {
        if let list = unsafe guarded_userauth_list(wire.memory.failed, raw, user, UInt32(user.utf8.count)) {
            return unsafe String(cString: list).split(separator: ",").map(String.init)
        }
        if isAuthenticated { return [] }
        if let failure = failure(of: "userauth_list") { throw failure }
        return nil
    }

    /// Whether the user is authenticated; the corresponding C function is `libssh2_userauth_authenticated`.
    var isAuthenticated: Bool {
        unsafe libssh2_userauth_authenticated(raw) == 1
    }

    /// Authenticates with a private key (RFC 4252 §7); the corresponding C function is
    /// `libssh2_userauth_publickey_frommemory`.
    ///
    /// `certificate` is a line with a certificate for the key, which must not be an Ed25519 key: libssh2 1.10 does not
    /// know the type of these certificates.
    func authenticate(
        user: String,
        privateKey: WipedBytes,
        passphrase: Secret?,
        certificate: [UInt8]?
    ) -> Int {
        var passphrase = (passphrase?.bytes ?? []) + [0]
        defer { passphrase.wipe() }
        let hasPassphrase = passphrase.count > 1
        wire.memory.isLending = unsafe libssh2_version(0x010b00) != nil
        defer { wire.memory.isLending = false }
        return unsafe privateKey.withBytes { key in
            unsafe passphrase.withUnsafeBytes { passphrase in
                unsafe (certificate ?? []).withUnsafeBytes { line in
                    Int(
                        unsafe guarded_userauth_publickey_frommemory(
                            wire.memory.failed,
                            raw,
                            user,
                            user.utf8.count,
                            certificate == nil ? nil : line.bindMemory(to: CChar.self).baseAddress,
                            line.count,
                            key.bindMemory(to: CChar.self).baseAddress,
                            key.count,
                            hasPassphrase ? passphrase.bindMemory(to: CChar.self).baseAddress : nil
                        )
                    )
                }
            }
        }
    }

    /// Authenticates with a signature that `request` obtains elsewhere; returns EAGAIN until it is available.
    ///
    /// For an RSA key, libssh2 1.10 would specify the algorithm `ssh-rsa`, which uses SHA-1. It reads the algorithm
    /// from the first string of the public key, then allocates the packet, and only then copies the key into it.
    /// Therefore, the first string is set to the algorithm from RFC 8332, and the key's own bytes are restored when the
    /// packet is allocated. The request verifies the result before anything is signed.
    ///
    /// The corresponding C function is `libssh2_userauth_publickey`.
    func authenticate(user: String, signingBy request: SignatureRequest) -> Int {
        if let name = request.takeSubstitute() {
            unsafe wire.memory.restore(Array(request.publicKey.prefix(name.count)), to: request.memory)
            for (offset, byte) in name.enumerated() {
                unsafe request.memory.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
            }
        }
        defer { wire.memory.completeRestoration() }
        request.sessionMemory = wire.memory
        var context: UnsafeMutableRawPointer? = unsafe Unmanaged.passUnretained(request).toOpaque()
        let key = unsafe request.memory.assumingMemoryBound(to: UInt8.self)
        return Int(
            unsafe guarded_userauth_publickey(
                wire.memory.failed,
                raw,
                user,
                key,
                request.publicKey.count,
                signCallback,
                &context
            )
        )
    }

    /// Authenticates with a password (RFC 4252 §8); the corresponding C function is `libssh2_userauth_password_ex`.
    func authenticate(user: String, password: Secret) -> Int {
        unsafe password.bytes.withUnsafeBytes { bytes in
            let text = unsafe bytes.bindMemory(to: CChar.self).baseAddress
            return Int(
                unsafe guarded_userauth_password_ex(
                    wire.memory.failed,
                    raw,
                    user,
                    UInt32(user.utf8.count),
                    text,
                    UInt32(bytes.count),
                    nil
                )
            )
        }
    }

    /// Authenticates by answering the server's prompts (RFC 4256) with `Wire.keyboardAnswer`.
    ///
    /// The corresponding C function is `libssh2_userauth_keyboard_interactive_ex`.
    func authenticateByKeyboard(user: String) -> Int {
        wire.memory.isAnsweringQuestions = true
        defer { wire.memory.isAnsweringQuestions = false }
        return Int(
            unsafe guarded_userauth_keyboard_interactive_ex(
                wire.memory.failed,
                raw,
                user,
                UInt32(user.utf8.count),
                keyboardCallback
            )
        )
    }
}

private let signCallback:
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, UnsafeMutablePointer<Int>?,
        UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> CInt = { _, signature, signatureLength, data, length, context in
        guard let opaque = unsafe context?.pointee, let signature = unsafe signature else { return LIBSSH2_ERROR_INVAL }
        let request = unsafe Unmanaged<SignatureRequest>.fromOpaque(opaque).takeUnretainedValue()
        switch request.answer {
        case .pending:
            return unsafe request.accept(Array(UnsafeBufferPointer(start: data, count: length)))
                ? LIBSSH2_ERROR_EAGAIN : LIBSSH2_ERROR_AUTHENTICATION_FAILED
        case .refused:
            return LIBSSH2_ERROR_AUTHENTICATION_FAILED
        case .signature(let bytes):
            let substitute = needsSubstitute(request) ? request.substitute(for: bytes) : nil
            let passed = substitute?.passed ?? bytes
            guard let copy = unsafe request.sessionMemory?.allocatedCopy(of: passed) else { return LIBSSH2_ERROR_ALLOC }
            if let substitute {
                unsafe request.sessionMemory?.replace(substitute.written, with: substitute.correct, onFreeing: copy)
            }
            unsafe signature.pointee = copy
            unsafe signatureLength?.pointee = passed.count
            return 0
        }
    }

private let keyboardCallback:
    @convention(c) (
        UnsafePointer<CChar>?, CInt, UnsafePointer<CChar>?, CInt, CInt,
        UnsafePointer<LIBSSH2_USERAUTH_KBDINT_PROMPT>?, UnsafeMutablePointer<LIBSSH2_USERAUTH_KBDINT_RESPONSE>?,
        UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Void = { _, _, _, _, count, prompts, responses, context in
        guard count > 0, let prompts = unsafe prompts, let responses = unsafe responses,
            let opaque = unsafe context?.pointee
        else { return }
        let wire = unsafe Unmanaged<Wire>.fromOpaque(opaque).takeUnretainedValue()
        for index in 0..<Int(count) {
            let prompt = unsafe prompts[index]
            let question = unsafe Prompt.cleaned(UnsafeRawBufferPointer(start: prompt.text, count: Int(prompt.length)))
            wire.keyboardQuestions.append(question)
            // A prompt with echo is not a password prompt. A second prompt means that the answer was wrong, or asks for
            // something else, so the answer is used only once.
            let echoes = unsafe prompt.echo != 0
            let text = echoes ? [] : wire.keyboardAnswer ?? []
            if !echoes { wire.keyboardAnswer = nil }
            // The session's memory is wiped when it is freed.
            guard let copy = unsafe wire.memory.allocate(text.count) else { continue }
            unsafe copy.copyMemory(from: text, byteCount: text.count)
            unsafe responses[index].text = unsafe copy.assumingMemoryBound(to: CChar.self)
            unsafe responses[index].length = UInt32(text.count)
        }
    }

/// Whether libssh2 writes the wrong algorithm before the signature: 1.10 knows only the certificates of ECDSA keys.
private func needsSubstitute(_ request: SignatureRequest) -> Bool {
    unsafe libssh2_version(0x010b00) == nil && request.algorithm != request.signatureAlgorithm
        && !request.algorithm.hasPrefix("ecdsa-")
}

extension SessionMemory {
    /// Copies bytes to a block that libssh2 can free.
    fileprivate func allocatedCopy(of bytes: [UInt8]) -> UnsafeMutablePointer<UInt8>? {
        guard let memory = unsafe allocate(bytes.count) else { return nil }
        unsafe memory.copyMemory(from: bytes, byteCount: bytes.count)
        return unsafe memory.assumingMemoryBound(to: UInt8.self)
    }
}
