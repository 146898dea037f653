import Core
import Runtime

/// A WebSocket of one of VibeTunnel's clients, which subscribes to sessions.
actor VibeTunnelSocket {
    enum Message: Sendable {
        case binary([UInt8])
        case text(String)
    }

    /// Messages that wait to be sent; those of all subscriptions, so that a subscription can end without leaving a
    /// message half sent.
    private let outbox = Monitor<[Message]>([])
    private var subscriptions: [String: (number: Int, task: Task<Void, Never>)] = [:]
    private var subscriptionCount = 0

    private static let outboxLimit = 8
    private static let subscriptionLimit = 64

    /// Converses until the client has gone or its link is no longer valid; returns the reason to close with.
    ///
    /// Each message of the client is passed to `receive`, which throws to end the conversation.
    func run(
        over channel: any PageChannel,
        _ links: PageLinks,
        _ access: PageAccess,
        _ receive: @escaping @Sendable ([UInt8]) async throws(VTError) -> Void
    ) async -> PageClosing {
        // Whatever fails, the client is gone, or is not served any more.
        let closing = try? await firstResult { tasks in
            tasks.add { () async throws(VTError) in try await links.end(of: access) }
            tasks.add { () async throws(VTError) in try await self.write(to: channel) }
            tasks.add { () async throws(VTError) in
                while let message = try await channel.read() { try await receive(message) }
                return PageClosing.goingAway
            }
        }
        for id in subscriptions.keys { await unsubscribe(id) }
        return closing ?? .goingAway
    }

    // MARK: - Sending

    /// Sends a message after those that are waiting; waits while there are too many.
    nonisolated func send(_ message: Message) async throws(VTError) {
        try await outbox.wait { messages -> Void? in
            guard messages.count < Self.outboxLimit else { return nil }
            return messages.append(message)
        }
        outbox.update { _ in }
    }

    private nonisolated func write(to channel: any PageChannel) async throws(VTError) -> PageClosing {
        while true {
            let message = try await outbox.wait { $0.isEmpty ? nil : $0.removeFirst() }
            outbox.update { _ in }
            switch message {
            case .binary(let bytes): try await channel.write(bytes)
            case .text(let text): try await channel.write(text: text)
            }
        }
    }

    // MARK: - Subscriptions

    /// Runs a subscription until it is replaced or ended, and reports its error; returns false if there are too many.
    func subscribe(
        _ id: String,
        _ body: @escaping @Sendable () async throws(VTError) -> Void,
        report: @escaping @Sendable (VTError) async throws(VTError) -> Void
    ) async -> Bool {
        await unsubscribe(id)
        guard subscriptions.count < Self.subscriptionLimit else { return false }
        subscriptionCount += 1
        let number = subscriptionCount
        let task = Task.onCurrentExecutor {
            do throws(VTError) {
                try await body()
            } catch {
                // The conversation ends if a message cannot be sent.
                if !error.isCancellation { try? await report(error) }
            }
            await self.forget(id, number)
        }
        subscriptions[id] = (number, task)
        return true
    }

    private func forget(_ id: String, _ number: Int) {
        if subscriptions[id]?.number == number { subscriptions[id] = nil }
    }

    func unsubscribe(_ id: String) async {
        guard let task = subscriptions.removeValue(forKey: id)?.task else { return }
        task.cancel()
        await task.value
    }
}
