import CLibSSH2
import Core
import NIOCore
import POSIX

/// File access on the server over SFTP.
extension SSHConnection {
    /// The maximum number of unacknowledged bytes of a file being sent: enough for 100 Mbit/s at 80 ms.
    private static let sendWindowBytes = 1 << 20
    /// How long a server may take to start an SFTP session.
    private static let beginTimeout = Duration.seconds(10)
    /// The size of the steps in which the buffer is trimmed as data is acknowledged.
    private static let sendStepBytes = 256 << 10

    func fileStatus(of path: String) async throws(VTError) -> RemoteFileStatus? {
        try await withFiles("examine '\(path)' on", otherwise: .io) { sftp async throws(CallFailure) in
            var attributes = LIBSSH2_SFTP_ATTRIBUTES()
            do throws(CallFailure) {
                try await perform("sftp_stat", on: sftp) { _ in sftp.status(of: path, into: &attributes) }
            } catch {
                guard Self.isMissing(error, of: sftp) else { throw error }
                return nil
            }
            return RemoteFileStatus(attributes)
        }
    }

    func makeDirectory(_ path: String, mode: UInt16) async throws(VTError) {
        try await withFiles("create '\(path)' on", otherwise: .cannotCreate) { sftp async throws(CallFailure) in
            _ = try await perform("sftp_mkdir", on: sftp) { _ in sftp.makeDirectory(path, mode: mode) }
        }
    }

    func removeFile(_ path: String) async throws(VTError) {
        try await withFiles("remove '\(path)' on", otherwise: .io) { sftp async throws(CallFailure) in
            do throws(CallFailure) {
                try await perform("sftp_unlink", on: sftp) { _ in sftp.unlink(path) }
            } catch {
                guard Self.isMissing(error, of: sftp) else { throw error }
            }
        }
    }

    func createFile(_ path: String, mode: UInt16, from source: any ByteSource) async throws(VTError) {
        let answer = try await withFiles("write '\(path)' on", otherwise: .io) { sftp async throws(CallFailure) in
            let file: SFTPFileHandle
            do throws(CallFailure) {
                file = try await perform(on: sftp) { session throws(EngineError) in
                    try sftp.create(path, mode: mode, in: session)
                }
            } catch {
                guard let status = Self.status(error, of: sftp) else { throw error }
                return VTError?.some(refusal(status, "create '\(path)' on", otherwise: .cannotCreate))
            }
            do throws(CallFailure) {
                try await fill(file, of: sftp, mode: mode, from: source)
            } catch {
                guard let status = Self.status(error, of: sftp) else { throw error }
                // Only the first failure is reported.
                _ = try? await perform("sftp_close", on: sftp) { _ in file.close() }
                return refusal(status, "write '\(path)' on", otherwise: .io)
            }
            try await perform("sftp_close", on: sftp) { _ in file.close() }
            return nil
        }
        if let answer { throw answer }
    }

    private func fill(
        _ file: SFTPFileHandle,
        of sftp: SFTPHandle,
        mode: UInt16,
        from source: any ByteSource
    ) async throws(CallFailure) {
        try await send(source, to: file, of: sftp)
        try await perform("sftp_fsetstat", on: sftp) { _ in file.setMode(mode) }
        do throws(CallFailure) {
            try await perform("sftp_fsync", on: sftp) { _ in file.synchronize() }
        } catch {
            // This request is an OpenSSH extension, which other servers need not support.
            guard Self.status(error, of: sftp) == UInt(LIBSSH2_FX_OP_UNSUPPORTED) else { throw error }
        }
    }

    /// Sends the whole source; returns once the server has written it.
    private func send(
        _ source: any ByteSource,
        to file: SFTPFileHandle,
        of sftp: SFTPHandle
    ) async throws(CallFailure) {
        var bytes: [UInt8] = []
        var start = 0
        var isEnded = false
        while true {
            if !isEnded, bytes.count - start <= Self.sendWindowBytes - Self.sendStepBytes {
                bytes.removeFirst(start)
                start = 0
                if let more = try await next(of: source) { bytes += more } else { isEnded = true }
                continue
            }
            guard start < bytes.count else { return }
            while !wire.isWritable { try await progress() }
            let written = try await perform("sftp_write", on: sftp) { _ in
                unsafe bytes.withUnsafeBytes { unsafe file.write(UnsafeRawBufferPointer(rebasing: $0[start...])) }
            }
            start += written
            if written == 0, !wire.hasUnreadBytes { try await progress() }
        }
    }

    private func next(of source: any ByteSource) async throws(CallFailure) -> [UInt8]? {
        do throws(VTError) {
            return try await source.read()
        } catch {
            throw .stopped(error)
        }
    }

    // MARK: - Session

    /// Runs `body` on the connection's SFTP session, one call at a time; the first call starts the session.
    ///
    /// If a call fails, the error message says that `what` failed; `code` is the error code if the server refuses the
    /// call.
    private func withFiles<Result>(
        _ what: String,
        otherwise code: VTError.Code,
        _ body: (SFTPHandle) async throws(CallFailure) -> Result
    ) async throws(VTError) -> Result {
        try await fileTurn.withLock { () async throws(VTError) in
            let sftp = try await fileSession()
            do throws(CallFailure) {
                return try await body(sftp)
            } catch {
                guard let status = Self.status(error, of: sftp) else {
                    // An interrupted call might have sent half a packet, so the session can no longer be used.
                    files = nil
                    _ = try? attempt("sftp_shutdown") { _ in sftp.shutDown() }
                    throw failure(error, doing: what)
                }
                throw refusal(status, what, otherwise: code)
            }
        }
    }

    private func fileSession() async throws(VTError) -> SFTPHandle {
        if let files { return files }
        let refusal = VTError(
            .protocolViolation,
            "'\(name)' does not support SFTP",
            hint: "the server needs a 'Subsystem sftp' line in sshd_config(5)"
        )
        // libssh2 1.10 waits forever if the SFTP server program exits without sending anything.
        let timer = eventLoop.scheduleTask(in: TimeAmount(Self.beginTimeout)) { [weak self] in
            self?.assumeIsolated { $0.drop(refusal) }
        }
        defer { timer.cancel() }
        do throws(CallFailure) {
            let sftp = try await inTurn { () async throws(CallFailure) in
                do throws(CallFailure) {
                    return try await inRequestTurn(isAlone: false) { () async throws(CallFailure) in
                        try await perform { session throws(EngineError) in try session.openFiles() }
                    }
                } catch {
                    if case .stopped = error { retire() }
                    throw error
                }
            }
            files = sftp
            return sftp
        } catch {
            guard case .engine = error, wire.wasStuck || !wire.isEnded else {
                throw failure(error, doing: "start an SFTP session on")
            }
            // libssh2 was stuck, and now treats the connection as ended.
            if wire.wasStuck { drop(refusal) }
            throw refusal
        }
    }

    /// Repeats a call on the SFTP session until it succeeds or fails.
    ///
    /// Unlike libssh2, this method detects that the SFTP server program has exited.
    ///
    /// - Throws: `CallFailure`.
    private func perform<Result>(
        on sftp: SFTPHandle,
        _ body: (borrowing SessionHandle) throws(EngineError) -> Result?
    ) async throws(CallFailure) -> Result {
        while true {
            if let result = try attempt(body) { return result }
            guard !sftp.isAtEnd else {
                throw .stopped(VTError(.protocolViolation, "the SFTP server on '\(name)' exited"))
            }
            try await progress()
        }
    }

    /// Repeats a call with a numeric result on the SFTP session until it succeeds or fails.
    ///
    /// - Throws: `CallFailure`.
    @discardableResult
    private func perform(
        _ call: StaticString,
        on sftp: SFTPHandle,
        _ body: (borrowing SessionHandle) -> Int
    ) async throws(CallFailure) -> Int {
        try await perform(on: sftp) { session throws(EngineError) in try session.checked(call, body(session)) }
    }

    // MARK: - Errors

    /// Returns the status from the server, if it reported a failure.
    private static func status(_ failure: CallFailure, of sftp: SFTPHandle) -> UInt? {
        guard case .engine(let error) = failure, error.code == LIBSSH2_ERROR_SFTP_PROTOCOL else { return nil }
        return sftp.lastStatus == 0 ? nil : sftp.lastStatus
    }

    private static func isMissing(_ failure: CallFailure, of sftp: SFTPHandle) -> Bool {
        let status = status(failure, of: sftp)
        return status == UInt(LIBSSH2_FX_NO_SUCH_FILE) || status == UInt(LIBSSH2_FX_NO_SUCH_PATH)
    }

    /// Returns the error for a failure status (draft-ietf-secsh-filexfer-02 §7); OpenSSH reports most failures only as
    /// "failure".
    private func refusal(_ status: UInt, _ what: String, otherwise code: VTError.Code) -> VTError {
        let (code, reason): (VTError.Code, String) =
            switch status {
            case UInt(LIBSSH2_FX_NO_SUCH_FILE), UInt(LIBSSH2_FX_NO_SUCH_PATH): (.notFound, "no such file or directory")
            case UInt(LIBSSH2_FX_PERMISSION_DENIED), UInt(LIBSSH2_FX_WRITE_PROTECT): (code, "permission denied")
            case UInt(LIBSSH2_FX_FILE_ALREADY_EXISTS): (code, "file exists")
            case UInt(LIBSSH2_FX_NO_SPACE_ON_FILESYSTEM), UInt(LIBSSH2_FX_QUOTA_EXCEEDED):
                (code, "no space left on device")
            case UInt(LIBSSH2_FX_OP_UNSUPPORTED): (code, "operation not supported by the server")
            default: (code, "rejected by the server")
            }
        return VTError(code, "cannot \(what) '\(name)': \(reason)", causes: ["SFTP status \(status)"])
    }
}

extension RemoteFileStatus {
    fileprivate init(_ attributes: LIBSSH2_SFTP_ATTRIBUTES) {
        let kind: Kind =
            switch CInt(truncatingIfNeeded: attributes.permissions) & LIBSSH2_SFTP_S_IFMT {
            case LIBSSH2_SFTP_S_IFREG: .file
            case LIBSSH2_SFTP_S_IFDIR: .directory
            default: .other
            }
        self.init(
            kind: kind,
            sizeBytes: attributes.filesize,
            mode: UInt16(truncatingIfNeeded: attributes.permissions & 0o7777)
        )
    }
}
