import CLibSSH2
import Core

/// One SFTP session (draft-ietf-secsh-filexfer-02, version 3), confined to the connection's actor.
///
/// Every method makes one call, whose result follows libssh2's convention as in `ChannelHandle`. The library keeps the
/// state of a call that waits in the session, so that calls take turns. A session that is not shut down goes with its
/// connection.
@safe
final class SFTPHandle {
    private let raw: OpaquePointer

    init(_ raw: OpaquePointer) {
        unsafe self.raw = raw
    }

    /// What the server answered to the call that failed last: `LIBSSH2_FX_…`.
    ///
    /// The corresponding C function is `libssh2_sftp_last_error`.
    var lastStatus: UInt {
        unsafe libssh2_sftp_last_error(raw)
    }

    /// Whether the server has ended the session, and all that it said has been read.
    ///
    /// The corresponding C function is `libssh2_sftp_get_channel`.
    var isAtEnd: Bool {
        unsafe libssh2_channel_eof(libssh2_sftp_get_channel(raw)) == 1
    }

    /// The corresponding C function is `libssh2_sftp_stat_ex`.
    func status(of path: String, into attributes: inout LIBSSH2_SFTP_ATTRIBUTES) -> Int {
        let length = UInt32(path.utf8.count)
        return Int(unsafe libssh2_sftp_stat_ex(raw, path, length, LIBSSH2_SFTP_STAT, &attributes))
    }

    /// The corresponding C function is `libssh2_sftp_mkdir_ex`.
    func makeDirectory(_ path: String, mode: UInt16) -> Int {
        Int(unsafe libssh2_sftp_mkdir_ex(raw, path, UInt32(path.utf8.count), Int(mode)))
    }

    /// The corresponding C function is `libssh2_sftp_unlink_ex`.
    func unlink(_ path: String) -> Int {
        Int(unsafe libssh2_sftp_unlink_ex(raw, path, UInt32(path.utf8.count)))
    }

    /// Makes a file that is not there yet, for writing; nil on EAGAIN.
    ///
    /// The corresponding C function is `libssh2_sftp_open_ex`.
    ///
    /// - Throws: `EngineError`.
    func create(
        _ path: String,
        mode: UInt16,
        in session: borrowing SessionHandle
    ) throws(EngineError) -> SFTPFileHandle? {
        let flags = UInt(LIBSSH2_FXF_WRITE | LIBSSH2_FXF_CREAT | LIBSSH2_FXF_EXCL)
        let (length, type) = (UInt32(path.utf8.count), LIBSSH2_SFTP_OPENFILE)
        let file = unsafe libssh2_sftp_open_ex(raw, path, length, flags, Int(mode), type)
        if let file = unsafe file { return unsafe SFTPFileHandle(file) }
        return try session.pending("sftp_open")
    }

    /// Ends the session; nothing may use it after a result other than EAGAIN.
    ///
    /// The corresponding C function is `libssh2_sftp_shutdown`.
    func shutDown() -> Int {
        Int(unsafe libssh2_sftp_shutdown(raw))
    }
}

/// An open file of an SFTP session.
@safe
final class SFTPFileHandle {
    private let raw: OpaquePointer

    init(_ raw: OpaquePointer) {
        unsafe self.raw = raw
    }

    /// Sends what has not been sent yet of these bytes, and gives how many of the first ones the server has written.
    ///
    /// The next call begins with the byte after those: what lies behind it may be on its way already. 0 when nothing
    /// can be said yet. The corresponding C function is `libssh2_sftp_write`.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        unsafe libssh2_sftp_write(raw, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
    }

    /// The corresponding C function is `libssh2_sftp_fstat_ex`.
    func setMode(_ mode: UInt16) -> Int {
        var attributes = LIBSSH2_SFTP_ATTRIBUTES()
        attributes.flags = UInt(LIBSSH2_SFTP_ATTR_PERMISSIONS)
        attributes.permissions = UInt(mode)
        return Int(unsafe libssh2_sftp_fstat_ex(raw, &attributes, 1))
    }

    /// The corresponding C function is `libssh2_sftp_fsync`.
    func synchronize() -> Int {
        Int(unsafe libssh2_sftp_fsync(raw))
    }

    /// Closes the file; nothing may use it after a result other than EAGAIN.
    ///
    /// The corresponding C function is `libssh2_sftp_close_handle`.
    func close() -> Int {
        Int(unsafe libssh2_sftp_close_handle(raw))
    }
}

extension SessionHandle {
    /// Begins an SFTP session on a channel of its own; nil on EAGAIN.
    ///
    /// The corresponding C function is `libssh2_sftp_init`.
    ///
    /// - Throws: `EngineError`.
    func openFiles() throws(EngineError) -> SFTPHandle? {
        if let sftp = unsafe libssh2_sftp_init(raw) { return unsafe SFTPHandle(sftp) }
        return try pending("sftp_init")
    }

    /// Says why a call gave no object: nil on EAGAIN, else the error is thrown.
    ///
    /// - Throws: `EngineError`.
    fileprivate func pending<Object>(_ call: StaticString) throws(EngineError) -> Object? {
        let code = unsafe libssh2_session_last_errno(raw)
        guard code != LIBSSH2_ERROR_EAGAIN else { return nil }
        throw EngineError(code: code, call: call, text: lastError(code))
    }
}
