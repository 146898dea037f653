import CLibSSH2
import Core

/// An open file of an SFTP session.
@safe
final class SFTPFileHandle {
    private let raw: OpaquePointer

    init(_ raw: OpaquePointer) {
        unsafe self.raw = raw
    }

    /// Sends the bytes that have not been sent yet; returns the number of leading bytes acknowledged by the server.
    ///
    /// The next call must start with the first byte that has not been acknowledged; later bytes might already have been
    /// sent. The corresponding C function is `libssh2_sftp_write`.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        unsafe libssh2_sftp_write(raw, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
    }

    /// Sets the mode of the file; the corresponding C function is `libssh2_sftp_fstat_ex`.
    func setMode(_ mode: UInt16) -> Int {
        var attributes = LIBSSH2_SFTP_ATTRIBUTES()
        attributes.flags = UInt(LIBSSH2_SFTP_ATTR_PERMISSIONS)
        attributes.permissions = UInt(mode)
        return Int(unsafe libssh2_sftp_fstat_ex(raw, &attributes, 1))
    }

    /// Syncs the file to the server's disk; the corresponding C function is `libssh2_sftp_fsync`.
    func synchronize() -> Int {
        Int(unsafe libssh2_sftp_fsync(raw))
    }

    /// Closes the file, which must not be used after any result other than EAGAIN.
    ///
    /// The corresponding C function is `libssh2_sftp_close_handle`.
    func close() -> Int {
        Int(unsafe libssh2_sftp_close_handle(raw))
    }
}
