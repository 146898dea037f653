import Core
import NIOCore
import Runtime

/// The messages that have arrived on a connection.
struct Inbox: Sendable {
    var messages: [[UInt8]] = []
    /// Whether no more messages will arrive.
    var isEnded = false
}

extension Monitor<Inbox> {
    /// Removes and returns the next message, for which the channel is read if necessary; nil at the end.
    func next(from channel: any Channel) async throws(VTError) -> [UInt8]? {
        if withLock({ $0.messages.isEmpty && !$0.isEnded }) { channel.read() }
        return try await wait { inbox -> Result<[UInt8]?, VTError>? in
            if !inbox.messages.isEmpty { return .success(inbox.messages.removeFirst()) }
            return inbox.isEnded ? .success(nil) : nil
        }.get()
    }
}
