import CLibSSH2
import Core

/// One SFTP session (draft-ietf-secsh-filexfer-02, version 3), confined to the connection's actor.
///
/// Every method makes one call, whose result follows libssh2's convention as in `ChannelHandle`. The library keeps the
/// state of a pending call in the session, so calls must not overlap. A session that is not shut down ends with its
/// connection.
@safe
final class SFTPHandle {
    private let raw: OpaquePointer

    init(_ raw: OpaquePointer) {
        unsafe self.raw = raw
    }

    /// The status of the last failed call: `LIBSSH2_FX_…`.
    ///
    /// The corresponding C function is `libssh2_sftp_last_error`.
    var lastStatus: UInt {
        unsafe libssh2_sftp_last_error(raw)
    }

    /// Whether the server has closed the session and all its data has been read.
    ///
    /// The corresponding C function is `libssh2_sftp_get_channel`.
    var isAtEnd: Bool {
        unsafe libssh2_channel_eof(libssh2_sftp_get_channel(raw)) == 1
    }

    /// Reads the attributes of a file; the corresponding C function is `libssh2_sftp_stat_ex`.
    func status(of path: String, into attributes: inout LIBSSH2_SFTP_ATTRIBUTES) -> Int {
        let length = UInt32(path.utf8.count)
        return Int(unsafe libssh2_sftp_stat_ex(raw, path, length, LIBSSH2_SFTP_STAT, &attributes))
    }

    /// Creates a directory; the corresponding C function is `libssh2_sftp_mkdir_ex`.
    func makeDirectory(_ path: String, mode: UInt16) -> Int {
        Int(unsafe libssh2_sftp_mkdir_ex(raw, path, UInt32(path.utf8.count), Int(mode)))
    }

    /// Removes a file; the corresponding C function is `libssh2_sftp_unlink_ex`.
    func unlink(_ path: String) -> Int {
        Int(unsafe libssh2_sftp_unlink_ex(raw, path, UInt32(path.utf8.count)))
    }

    /// Creates a file, which must not exist yet, for writing; returns nil on EAGAIN.
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

    /// Shuts down the session, which must not be used after any result other than EAGAIN.
    ///
    /// The corresponding C function is `libssh2_sftp_shutdown`.
    func shutDown() -> Int {
        Int(unsafe libssh2_sftp_shutdown(raw))
    }
}

extension SessionHandle {
    /// Starts an SFTP session on its own channel; returns nil on EAGAIN.
    ///
    /// The corresponding C function is `libssh2_sftp_init`.
    ///
    /// - Throws: `EngineError`.
    func openFiles() throws(EngineError) -> SFTPHandle? {
        if let sftp = unsafe libssh2_sftp_init(raw) { return unsafe SFTPHandle(sftp) }
        return try pending("sftp_init")
    }

    /// Handles a call that returned no object: returns nil on EAGAIN, otherwise throws the error of the call.
    ///
    /// - Throws: `EngineError`.
    fileprivate func pending<Object>(_ call: StaticString) throws(EngineError) -> Object? {
        let code = unsafe libssh2_session_last_errno(raw)
        guard code != LIBSSH2_ERROR_EAGAIN else { return nil }
        throw EngineError(code: code, call: call, text: lastError(code))
    }
}
