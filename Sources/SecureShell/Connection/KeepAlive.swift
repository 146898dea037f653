import Core
import NIOCore

/// Asks a silent peer for an answer, and gives the link up when none comes.
///
/// libssh2 sends the question but does not notice that the answer is missing. Any byte counts as an answer; while bytes
/// lie here that nobody has taken, the peer's silence is our own doing and counts for nothing.
final class KeepAlive {
    private unowned let connection: SSHConnection
    private let interval: TimeAmount
    private let count: Int
    private var unanswered = 0
    private var timer: Scheduled<Void>?

    init(connection: SSHConnection, interval: Duration, count: Int) {
        self.connection = connection
        self.interval = TimeAmount(interval)
        self.count = count
    }

    func start() {
        schedule(in: interval)
    }

    func stop() {
        timer?.cancel()
        timer = nil
    }

    private func schedule(in delay: TimeAmount) {
        timer = connection.executor.eventLoop.scheduleTask(in: delay) { [weak connection] in
            connection?.assumeIsolated { $0.keepAliveTick() }
        }
    }

    /// Called on the connection's executor when the timer fires.
    func tick(on connection: isolated SSHConnection) {
        let silence = NIODeadline.now() - connection.wire.lastArrival
        if silence < interval || connection.wire.hasUnreadBytes {
            unanswered = 0
            schedule(in: silence < interval ? interval - silence : interval)
            return
        }
        // The first question needs one interval to be answered, also when `count` is 1.
        guard unanswered == 0 || unanswered + 1 < count else {
            let seconds = Duration.nanoseconds(silence.nanoseconds).wholeMilliseconds / 1000
            connection.fail(
                VTError(.hostUnreachable, "lost the connection to '\(connection.name)': no answer for \(seconds) s")
            )
            return
        }
        unanswered += 1
        // Where it fails the link is lost, which the next call that waits will say.
        _ = try? connection.attempt("keepalive_send") { $0.sendKeepAlive() }
        schedule(in: interval)
    }
}
