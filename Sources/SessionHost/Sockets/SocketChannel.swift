import Core
import Glibc
import POSIX

/// Carries frames to and from a local holder over its socket.
final class SocketChannel: SessionChannel {
    private let socket: FileDescriptor
    private let input: ThreadedInput

    /// Connects to a holder's socket; blocks for `timeout` at most.
    ///
    /// - Throws: `not-found` when no process is listening; `timed-out` when the connection is not accepted in time;
    ///   `system`.
    init(connectingTo path: String, timeout: Duration = .zero) throws(VTError) {
        socket = try UnixSocket.connect(to: path, timeout: timeout)
        let copy = fcntl(socket.number, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .system(errno, "cannot connect to '\(path)'", fallback: .system) }
        input = ThreadedInput(copy, closesDescriptor: true)
    }

    func read() async throws(VTError) -> [UInt8]? {
        do throws(VTError) {
            return try await input.read()
        } catch {
            guard error != .cancelled else { throw error }
            throw VTError(.hostUnreachable, "the holder of the session is gone", causes: [error.message])
        }
    }

    /// Writes immediately if there is room, otherwise on a dedicated thread; cancellation closes the connection.
    func write(_ bytes: [UInt8]) async throws(VTError) {
        let number = socket.number
        var (count, failure) = SocketIO.sendSome(number, bytes, from: 0)
        if failure == EAGAIN || failure == EINTR || (failure == 0 && count < bytes.count) {
            let start = count
            let result = await withTaskCancellationHandler {
                await Self.send(number, bytes, from: start)
            } onCancel: {
                shutdown(number, CInt(SHUT_RDWR))
            }
            if Task.isCancelled { throw .cancelled }
            failure = try result.get()
            count = bytes.count
        }
        guard failure == 0 else {
            throw VTError(.hostUnreachable, "the holder of the session is gone: \(systemErrorText(failure))")
        }
    }

    private static func send(_ socket: CInt, _ bytes: [UInt8], from start: Int) async -> Result<CInt, VTError> {
        do throws(VTError) {
            return .success(
                try await onOwnThread { () throws(VTError) in SocketIO.send(socket, bytes, from: start) }
            )
        } catch {
            return .failure(error)
        }
    }

    func close() async {
        shutdown(socket.number, CInt(SHUT_RDWR))
        // Let the reader thread finish; unread data and errors are no longer needed.
        while let left = try? await input.read(), !left.isEmpty {}
    }
}
