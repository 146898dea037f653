import Core
import Glibc
import Runtime
import System

/// Carries frames to and from a local holder over its socket.
final class SocketChannel: SessionChannel {
    private let socket: FileDescriptor
    private let poller: DescriptorPoller
    private let isHolderBusy: @Sendable () -> Bool

    /// The maximum number of bytes to read at once.
    private static let readBytes = 64 << 10

    /// Connects to a holder's socket; blocks for `timeout` at most.
    ///
    /// `isHolderBusy` is called only while an answer is late.
    ///
    /// - Throws: `not-found` when no process is listening; `timed-out` when the connection is not accepted in time;
    ///   `system`.
    init(
        connectingTo path: String,
        timeout: Duration = .zero,
        poller: DescriptorPoller,
        isHolderBusy: @escaping @Sendable () -> Bool
    ) throws(VTError) {
        socket = try UnixSocket.connect(to: path, timeout: timeout)
        self.poller = poller
        self.isHolderBusy = isHolderBusy
    }

    var isPeerBusy: Bool { isHolderBusy() }

    func read() async throws(VTError) -> [UInt8]? {
        while true {
            try await poller.wait(for: .readable, on: socket.number)
            var failure: CInt = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.readBytes) { buffer, count in
                let result = unsafe recv(socket.number, buffer.baseAddress, Self.readBytes, CInt(MSG_DONTWAIT))
                failure = result < 0 ? errno : 0
                count = max(0, result)
            }
            switch failure {
            case 0: return bytes.isEmpty ? nil : bytes
            case EAGAIN, EINTR: continue
            // The holder has closed the connection without reading everything that was sent.
            case ECONNRESET: return nil
            default: throw Self.gone(failure)
            }
        }
    }

    /// Returns once the socket has accepted all bytes, or the holder has closed the connection.
    ///
    /// What the holder sent before, and the end, can still be read. Cancellation closes the connection.
    func write(_ bytes: [UInt8]) async throws(VTError) {
        var offset = 0
        while offset < bytes.count {
            let (count, failure) = UnixSocket.sendSome(socket.number, bytes, from: offset)
            offset += count
            switch failure {
            case 0, EINTR: continue
            case EAGAIN: try await waitForRoom()
            case EPIPE, ECONNRESET: return
            default: throw Self.gone(failure)
            }
        }
    }

    private func waitForRoom() async throws(VTError) {
        do throws(VTError) {
            try await poller.wait(for: .writable, on: socket.number)
        } catch {
            // Part of a frame may have been sent, so no other frame can follow.
            shutdown()
            throw error
        }
    }

    /// Ends the connection and a pending read; the descriptor is closed with this object.
    func close() async {
        shutdown()
    }

    private func shutdown() {
        Glibc.shutdown(socket.number, CInt(SHUT_RDWR))
    }

    private static func gone(_ failure: CInt) -> VTError {
        VTError(.hostUnreachable, "the holder of the session is gone: \(systemErrorText(failure))")
    }
}
