import CGuardedSSH2
import CLibSSH2
import Core
import Glibc

/// One libssh2 session, freed exactly once.
///
/// All calls must be made on the event loop of the wire, which the session retains.
@safe
struct SessionHandle: ~Copyable {
    let raw: OpaquePointer
    let wire: Wire

    /// Creates a session that sends and receives through the wire.
    init(wire: Wire) throws(VTError) {
        self.wire = wire
        let context = unsafe Unmanaged.passUnretained(wire).toOpaque()
        guard let raw = unsafe libssh2_session_init_ex(allocate, release, reallocate, context) else {
            throw VTError(.system, "cannot create an SSH session: out of memory")
        }
        unsafe self.raw = raw
        let send = unsafe unsafeBitCast(sendCallback, to: UnsafeMutableRawPointer.self)
        let receive = unsafe unsafeBitCast(receiveCallback, to: UnsafeMutableRawPointer.self)
        unsafe libssh2_session_callback_set(raw, LIBSSH2_CALLBACK_SEND, send)
        unsafe libssh2_session_callback_set(raw, LIBSSH2_CALLBACK_RECV, receive)
        let refuse = unsafe unsafeBitCast(invalidMACCallback, to: UnsafeMutableRawPointer.self)
        unsafe libssh2_session_callback_set(raw, LIBSSH2_CALLBACK_MACERROR, refuse)
        let note = unsafe unsafeBitCast(debugCallback, to: UnsafeMutableRawPointer.self)
        unsafe libssh2_session_callback_set(raw, LIBSSH2_CALLBACK_DEBUG, note)
        unsafe libssh2_session_set_blocking(raw, 0)
    }

    deinit {
        // A closed wire answers every send and receive immediately, so freeing cannot block.
        wire.close()
        _ = unsafe guarded_session_free(wire.memory.failed, raw)
        wire.memory.freeAll()
    }

    /// Checks the result of a call: throws on negative values other than EAGAIN, for which it returns nil.
    func checked(_ name: StaticString, _ result: Int) throws(SSHFailure) -> Int? {
        guard result < 0 else { return result }
        guard result != Int(LIBSSH2_ERROR_EAGAIN) else { return nil }
        let code = CInt(truncatingIfNeeded: result)
        if SSHFailure.isCorruption(code) { wire.memory.abandon() }
        throw .library(code: code, call: name, text: lastError(code))
    }

    /// Returns the error of a call that has returned no pointer; nil for EAGAIN.
    ///
    /// libssh2 sets no error code if it could not receive a packet. The corresponding C function is
    /// `libssh2_session_last_errno`.
    func failure(of name: StaticString) -> SSHFailure? {
        let code = unsafe libssh2_session_last_errno(raw)
        guard code != LIBSSH2_ERROR_EAGAIN || wire.memory.hasFailed else { return nil }
        guard code == 0 || wire.memory.hasFailed else {
            return .library(code: code, call: name, text: lastError(code))
        }
        wire.memory.abandon()
        return .library(code: LIBSSH2_ERROR_SOCKET_DISCONNECT, call: name, text: "")
    }

    /// Opens a channel of this type, with its type-specific data (RFC 4254 §5.1); returns nil on EAGAIN.
    ///
    /// The corresponding C function is `libssh2_channel_open_ex`.
    func openChannel(_ type: StaticString, window: UInt32, data: [UInt8]) throws(SSHFailure) -> ChannelHandle? {
        let pointer = unsafe data.withUnsafeBytes { data in
            unsafe guarded_channel_open_ex(
                wire.memory.failed,
                raw,
                UnsafeRawPointer(type.utf8Start).assumingMemoryBound(to: CChar.self),
                UInt32(type.utf8CodeUnitCount),
                window,
                ChannelHandle.packetBytes,
                data.baseAddress?.assumingMemoryBound(to: CChar.self),
                UInt32(data.count)
            )
        }
        if let pointer = unsafe pointer { return unsafe ChannelHandle(pointer, in: wire.memory) }
        if let failure = failure(of: "channel_open") { throw failure }
        return nil
    }

    /// Asks the server to listen on a port (0 lets the server choose one); returns nil on EAGAIN.
    ///
    /// The corresponding C function is `libssh2_channel_forward_listen_ex`.
    func listen(on port: UInt16, bindAddress: String) throws(SSHFailure) -> ListenerHandle? {
        var chosen: CInt = 0
        let limit = ListenerHandle.queueLimit
        let pointer = unsafe guarded_channel_forward_listen_ex(
            wire.memory.failed,
            raw,
            bindAddress,
            CInt(port),
            &chosen,
            limit
        )
        if let pointer = unsafe pointer {
            return unsafe ListenerHandle(pointer, in: wire.memory, port: UInt16(truncatingIfNeeded: chosen))
        }
        if let failure = failure(of: "channel_forward_listen") { throw failure }
        return nil
    }

    /// Makes `sendKeepAlive` request a reply; the corresponding C function is `libssh2_keepalive_config`.
    func enableKeepAlive() {
        // 2 s is libssh2's minimum interval; the caller determines the actual one.
        unsafe libssh2_keepalive_config(raw, 1, 2)
    }

    /// Sends a keep-alive request; the corresponding C function is `libssh2_keepalive_send`.
    func sendKeepAlive() -> Int {
        var next: CInt = 0
        return Int(unsafe guarded_keepalive_send(wire.memory.failed, raw, &next))
    }

    /// Sends SSH_MSG_DISCONNECT; 11 is SSH_DISCONNECT_BY_APPLICATION (RFC 4253 §11.1).
    ///
    /// The corresponding C function is `libssh2_session_disconnect_ex`.
    func disconnect() -> Int {
        Int(unsafe guarded_session_disconnect_ex(wire.memory.failed, raw, 11, "", ""))
    }

    /// Returns the library's error message for this code, copied immediately.
    func lastError(_ code: CInt) -> String {
        var text: UnsafeMutablePointer<CChar>?
        var length: CInt = 0
        guard unsafe libssh2_session_last_error(raw, &text, &length, 0) == code, let text = unsafe text else {
            return ""
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(length))
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}

private let allocate:
    @convention(c) (Int, UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> UnsafeMutableRawPointer? =
        { count, context in
            unsafe wire(context)?.memory.allocate(count)
        }

private let reallocate:
    @convention(c) (
        UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> UnsafeMutableRawPointer? = { pointer, count, context in
        unsafe wire(context)?.memory.reallocate(pointer, count)
    }

private let release:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Void =
        { pointer, context in
            unsafe wire(context)?.memory.free(pointer)
        }

private let sendCallback:
    @convention(c) (
        CInt, UnsafeRawPointer?, Int, CInt, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Int = { _, bytes, count, _, context in
        guard let wire = unsafe wire(context), let bytes = unsafe bytes else { return -Int(EINVAL) }
        return unsafe wire.send(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : -Int(EPIPE)
    }

private let receiveCallback:
    @convention(c) (
        CInt, UnsafeMutableRawPointer?, Int, CInt, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Int = { _, bytes, count, _, context in
        guard let wire = unsafe wire(context), let bytes = unsafe bytes else { return -Int(EINVAL) }
        switch unsafe wire.receive(into: UnsafeMutableRawBufferPointer(start: bytes, count: count)) {
        case .bytes(let count): return count
        case .nothingYet: return -Int(EAGAIN)
        case .end: return 0
        }
    }

/// Refuses a packet whose MAC is invalid (RFC 4253 §6.4); libssh2 would continue with the next one.
private let invalidMACCallback:
    @convention(c) (
        OpaquePointer?, UnsafePointer<CChar>?, CInt, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> CInt = { _, _, _, context in
        unsafe wire(context)?.memory.abandon()
        return -1
    }

/// Notes what the server says about the user's key, which libssh2 does not expose otherwise (RFC 4253 §11.3).
private let debugCallback:
    @convention(c) (
        OpaquePointer?, CInt, UnsafePointer<CChar>?, CInt, UnsafePointer<CChar>?, CInt,
        UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Void = { _, _, message, count, _, _, context in
        guard let message = unsafe message, let count = Int(exactly: count), count >= 0 else { return }
        let text = unsafe String(decoding: UnsafeRawBufferPointer(start: message, count: count), as: UTF8.self)
        guard let forcesCommand = SSHMessage.forcesCommand(text) else { return }
        unsafe wire(context)?.isCommandForced = forcesCommand
    }

private func wire(_ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Wire? {
    guard let opaque = unsafe context?.pointee else { return nil }
    return unsafe Unmanaged<Wire>.fromOpaque(opaque).takeUnretainedValue()
}
