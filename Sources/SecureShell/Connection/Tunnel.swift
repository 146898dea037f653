import CLibSSH2
import Core
import NIOCore

/// Transfers bytes between an SSH channel and a connection on this machine, on the connection's executor.
///
/// It is driven only by events on the two sides, without a task. Data that cannot be sent yet stays in libssh2's window
/// or in `pending`, and the side from which it came is not read meanwhile. The end of each direction is passed on
/// separately. The tunnel closes when the local side is gone, or when the server has closed the channel, which it does
/// when its peer has received everything or accepts no more.
final class Tunnel {
    private unowned let connection: SSHConnection
    private let id: ChannelID
    private let handle: ChannelHandle
    private let local: LocalStream
    /// Called once, when the tunnel has closed.
    private let onClose: () -> Void
    /// Data read from the local side and not yet sent.
    private var pending = ByteBuffer()
    private var hasSentEnd = false
    private var isClosed = false
    private var isPumping = false
    private var isPumpRequested = false

    init(
        connection: SSHConnection,
        id: ChannelID,
        handle: ChannelHandle,
        local: LocalStream,
        onClose: @escaping () -> Void
    ) {
        self.connection = connection
        self.id = id
        self.handle = handle
        self.local = local
        self.onClose = onClose
    }

    /// Starts the transfer; `local` must be part of the pipeline of a connected channel.
    func start() {
        let (connection, id) = (connection, id)
        local.onEvent = { [weak connection] in
            connection?.assumeIsolated { $0.tunnels[id]?.pump(on: $0) }
        }
        local.read()
    }

    /// Transfers all available data in both directions.
    ///
    /// A transfer can cause further events; a nested call only requests another round, because bytes could otherwise be
    /// sent twice or out of order.
    func pump(on connection: isolated SSHConnection) {
        isPumpRequested = true
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        while isPumpRequested, !isClosed {
            isPumpRequested = false
            do throws(SSHFailure) {
                try toServer(connection)
                try fromServer(connection)
                if local.isGone { close(on: connection) }
            } catch {
                close(on: connection)
            }
        }
        connection.wire.flush()
    }

    private func close(on connection: isolated SSHConnection) {
        // The server can close the channel in the same round in which the local side is found to be gone.
        guard !isClosed else { return }
        isClosed = true
        local.onEvent = nil
        local.close()
        connection.tunnels[id] = nil
        connection.forget(id)
        onClose()
    }

    private func toServer(_ connection: isolated SSHConnection) throws(SSHFailure) {
        let handle = handle
        while connection.wire.isWritable {
            if pending.readableBytes == 0 {
                guard let next = local.takeBytes() else { break }
                pending = next
            }
            let sent = try connection.attempt("channel_write", isMoreComing: true) { _ in
                unsafe pending.withUnsafeReadableBytes { unsafe handle.write($0) }
            }
            guard let sent, sent > 0 else { return }
            pending.moveReaderIndex(forwardBy: sent)
        }
        guard pending.readableBytes == 0, connection.wire.isWritable else { return }
        if !local.isEnded {
            local.read()
        } else if !hasSentEnd {
            hasSentEnd = try connection.attempt("channel_send_eof") { _ in handle.sendEnd() } != nil
        }
    }

    private func fromServer(_ connection: isolated SSHConnection) throws(SSHFailure) {
        while true {
            guard local.isWritable else { return }
            guard let bytes = try connection.read(handle, stream: 0) else { break }
            local.write(bytes)
        }
        guard handle.isAtEnd || connection.wire.isDrained else { return }
        let handle = handle
        let isClosedByServer = try connection.attempt("channel_wait_closed") { _ in handle.waitClosed() } != nil
        if isClosedByServer || connection.wire.isDrained {
            close(on: connection)
        } else {
            local.endOutput()
        }
    }
}
