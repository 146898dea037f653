import Core
import NIOCore
import Runtime

extension SSHConnection {
    /// Has the server connect to an address, as `ConnectionForwarder.connect` describes.
    func connect(
        to address: ForwardAddress,
        input: any ByteSource,
        output: any ByteSink,
        onEnd: @escaping @Sendable () async throws(VTError) -> Void
    ) async throws(VTError) {
        let id = try await openForward(to: address)
        defer { forget(id) }
        try await withWatch({ () async throws(VTError) in try await self.feed(input, to: id) }) {
            () async throws(VTError) in
            try await self.receive(from: id, to: output, onEnd: onEnd)
        }
    }

    /// Delivers all data of a channel, and waits until the server has closed the channel.
    ///
    /// The server closes it when the peer has received everything, or accepts no more.
    private func receive(
        from id: ChannelID,
        to output: any ByteSink,
        onEnd: () async throws(VTError) -> Void
    ) async throws(VTError) {
        do throws(SSHFailure) {
            let handle = try channel(id)
            _ = try attempt("channel_handle_extended_data") { _ in handle.ignoreExtendedData() }
            while true {
                if let bytes = try read(handle, stream: 0) {
                    try await deliver(bytes, to: output)
                } else if handle.isAtEnd {
                    break
                } else {
                    try await progress()
                }
            }
            try await SSHFailure.stopping(onEnd)
            try await perform("channel_wait_closed") { _ in handle.waitClosed() }
        } catch {
            throw failure(error, doing: "read from")
        }
    }

    /// Processes messages of the server until the connection is lost, and throws the reason.
    ///
    /// libssh2 reads only within calls on a channel or a listener. If unread bytes remain because there is none,
    /// requesting a channel of an unknown type, which the server must refuse (RFC 4254 §5.1), makes libssh2 read them;
    /// sshd would otherwise close the connection because its requests go unanswered (sshd_config(5),
    /// ClientAliveCountMax). No call that reads sends less; sshd logs the refusal only at the level DEBUG1.
    func waitUntilLost() async throws(VTError) {
        do throws(SSHFailure) {
            while true {
                try await progress()
                guard wire.hasUnreadBytes else { continue }
                do throws(SSHFailure) {
                    forget(try await openChannel("idle@vt", window: 0))
                } catch {
                    guard error.isChannelRefusal else { throw error }
                }
            }
        } catch {
            throw failure(error, doing: "use")
        }
    }
}
