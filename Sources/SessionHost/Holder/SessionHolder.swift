import Core
import Glibc
import System

/// The process that runs one session: vt started with a hidden verb.
///
/// It is single-threaded and does not use Swift concurrency. Its creator passes a socket as descriptor 0, for the
/// request and the reply, and the session's locked lock file as descriptor 1.
package struct SessionHolder {
    /// The hidden first argument.
    package static let verb: ByteString = "hold"

    package init() {}

    /// Runs a session until its program has ended; returns the exit status of the process.
    package func run() -> UInt8 {
        guard Self.isSocket(0) else {
            // A failure to write cannot be reported.
            try? StandardStream.errorOutput.write(Array("vt: 'hold' is for internal use only\n".utf8))
            return VTError.Code.usage.status
        }
        Self.ignoreSignals()
        Fault.point(.holdBegun)
        LinuxProcess.limitAllocator()
        let creator = FileDescriptor(owning: 0)
        do throws(VTError) {
            let document = try Self.receive(creator.number)
            Fault.point(.holdReceived)
            let loop = try document.startSession()
            _ = UnixSocket.send(creator.number, SessionFrame.record(loop.record).encoded)
            // Replacing the descriptor with /dev/null closes the connection.
            dup2(2, creator.release())
            Fault.point(.holdAnswered)
            loop.run()
            loop.removeIfExpired()
            return 0
        } catch {
            let failure = SessionFrame.failure(error)
            _ = UnixSocket.send(0, failure.encoded)
            return error.code.status
        }
    }

    /// Ignores all signals with which other processes could terminate this one, except TERM, which ends the session.
    ///
    /// Signals caused by errors in this process still terminate it. The session's program starts with the default
    /// actions.
    private static func ignoreSignals() {
        let meaningful = [SIGTERM, SIGCHLD, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS]
        // KILL and STOP cannot be ignored, nor can two signals that the C library uses; those calls fail.
        for number in 1...CInt(64) where !meaningful.contains(number) { signal(number, SIG_IGN) }
    }

    private static func isSocket(_ descriptor: CInt) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    private static func receive(_ channel: CInt) throws(VTError) -> LaunchDocument {
        let ended = VTError(.protocolViolation, "the process that created the session has exited")
        var bytes: [UInt8] = []
        var length = 4
        while bytes.count < length {
            let more = try BlockingIO.read(channel, limit: 65_536)
            guard !more.isEmpty else { throw ended }
            bytes += more
            var reader = WireReader(bytes[...])
            guard let count = reader.uint32() else { continue }
            guard Int(count) <= LaunchDocument.limitBytes else {
                throw VTError(.protocolViolation, "the request to start the session is too long")
            }
            length = 4 + Int(count)
        }
        return try LaunchDocument(decoding: bytes)
    }
}
