import CLibSSL
import NIOCore

/// The state of a connection in libssl, which reads from memory and writes to memory; freed exactly once.
@safe
struct TLSSession: ~Copyable {
    /// The least room to read into; a record has at most 16 KiB (RFC 8446 §5.1).
    private static let readBytes = 4 << 10

    private let raw: OpaquePointer
    /// Records that the peer has sent; belongs to `raw`.
    private let input: OpaquePointer
    /// Records to be sent; belongs to `raw`.
    private let output: OpaquePointer

    /// Takes over a new session; nil if there is no memory.
    init?(_ raw: OpaquePointer?) {
        guard let raw = unsafe raw else { return nil }
        guard let input = unsafe BIO_new(BIO_s_mem()), let output = unsafe BIO_new(BIO_s_mem()) else {
            unsafe SSL_free(raw)
            return nil
        }
        unsafe SSL_set_bio(raw, input, output)
        unsafe (self.raw, self.input, self.output) = (raw, input, output)
    }

    deinit {
        unsafe SSL_free(raw)
    }

    // MARK: - Handshake

    /// Requires that the certificate of the server names the host, and sends the name to the server unless it is an
    /// address (RFC 6066 §3).
    func require(_ host: String) throws(TLSError) {
        let isAccepted: Bool
        if (try? SocketAddress(ipAddress: host, port: 0)) != nil {
            isAccepted = unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(raw), host) == 1
        } else {
            // The subject does not count (RFC 9525 §6.3), nor does a dot at the end of the name.
            let name = host.hasSuffix(".") ? String(host.dropLast()) : host
            let flags = X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT
            unsafe SSL_set_hostflags(raw, CUnsignedInt(flags))
            isAccepted = unsafe SSL_set1_host(raw, name) == 1 && send_server_name(raw, name) == 1
        }
        guard isAccepted else { throw TLSError() }
    }

    func start(as side: TLSContext.Side) {
        switch side {
        case .client: unsafe SSL_set_connect_state(raw)
        case .server: unsafe SSL_set_accept_state(raw)
        }
    }

    /// Continues the handshake, and returns whether it is complete; the corresponding C function is `SSL_do_handshake`.
    func handshake() throws(TLSError) -> Bool {
        ERR_clear_error()
        let result = unsafe SSL_do_handshake(raw)
        guard result != 1 else { return true }
        guard unsafe SSL_get_error(raw, result) == SSL_ERROR_WANT_READ else { throw failure() }
        return false
    }

    // MARK: - Data

    /// Stores what has arrived; the corresponding C function is `BIO_write`.
    func receive(_ records: ByteBuffer) throws(TLSError) {
        ERR_clear_error()
        let count = unsafe records.withUnsafeReadableBytes { bytes in
            unsafe BIO_write(input, bytes.baseAddress, CInt(clamping: bytes.count))
        }
        guard Int(count) == records.readableBytes else { throw TLSError() }
    }

    /// Appends the data in the stored records, and returns whether the peer has said that no more will follow.
    ///
    /// The corresponding C function is `SSL_read`.
    func read(into data: inout ByteBuffer) throws(TLSError) -> Bool {
        while true {
            ERR_clear_error()
            var result: CInt = 0
            unsafe data.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.readBytes) { space in
                result = unsafe SSL_read(raw, space.baseAddress, CInt(clamping: space.count))
                return max(0, Int(result))
            }
            guard result <= 0 else { continue }
            switch unsafe SSL_get_error(raw, result) {
            case SSL_ERROR_WANT_READ: return false
            case SSL_ERROR_ZERO_RETURN: return true
            default: throw failure()
            }
        }
    }

    /// Encrypts data, which must not be empty; the corresponding C function is `SSL_write`.
    func write(_ data: ByteBuffer) throws(TLSError) {
        ERR_clear_error()
        let count = unsafe data.withUnsafeReadableBytes { bytes in
            unsafe SSL_write(raw, bytes.baseAddress, CInt(clamping: bytes.count))
        }
        guard Int(count) == data.readableBytes else { throw failure() }
    }

    /// Says that no more data will follow, which fails only before the handshake is complete; the corresponding C
    /// function is `SSL_shutdown`.
    func end() {
        unsafe SSL_shutdown(raw)
        ERR_clear_error()
    }

    /// Removes and returns the records to be sent, if any; the corresponding C function is `BIO_read`.
    func takeRecords(_ allocator: ByteBufferAllocator) -> ByteBuffer? {
        let count = unsafe BIO_ctrl_pending(output)
        guard count > 0 else { return nil }
        var records = allocator.buffer(capacity: count)
        unsafe records.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
            max(0, Int(unsafe BIO_read(output, space.baseAddress, CInt(clamping: count))))
        }
        return records
    }

    private func failure() -> TLSError {
        let verification = unsafe SSL_get_verify_result(raw)
        guard verification == X509_V_OK else {
            ERR_clear_error()
            return TLSError(.untrusted, unsafe String(cString: X509_verify_cert_error_string(verification)))
        }
        return TLSError()
    }
}
