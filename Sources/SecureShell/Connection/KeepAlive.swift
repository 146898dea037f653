import Core
import NIOCore

/// Sends keep-alive requests to an idle peer, and closes the connection if they go unanswered.
///
/// libssh2 sends the requests but does not detect missing replies.
final class KeepAlive {
    private unowned let connection: SSHConnection
    private var watch: SilenceWatch
    private var timer: Scheduled<Void>?

    init(connection: SSHConnection, interval: Duration, count: Int) {
        self.connection = connection
        watch = SilenceWatch(interval: TimeAmount(interval), count: count)
    }

    func start() {
        schedule(in: watch.interval)
    }

    func stop() {
        timer?.cancel()
        timer = nil
    }

    private func schedule(in delay: TimeAmount) {
        timer = connection.eventLoop.scheduleTask(in: delay) { [weak connection] in
            connection?.assumeIsolated { $0.keepAliveTick() }
        }
    }

    /// Called on the connection's executor when the timer fires.
    func tick(on connection: isolated SSHConnection) {
        let wire = connection.wire
        let step = watch.step(at: .now(), lastArrival: wire.lastArrival, hasUnreadBytes: wire.hasUnreadBytes)
        switch step {
        case .wait(let delay):
            schedule(in: delay)
        case .ask:
            if sendRequest(connection) { watch.recordRequest(at: .now()) }
            schedule(in: watch.interval)
        case .giveUp(let silence):
            let seconds = Duration.nanoseconds(silence.nanoseconds).wholeMilliseconds / 1000
            connection.fail(
                VTError(.hostUnreachable, "lost the connection to '\(connection.name)': no response for \(seconds)s")
            )
        }
    }

    /// Sends a request; returns whether the peer must reply.
    ///
    /// libssh2 sends nothing if it sent a request within the last 2 s (`libssh2_keepalive_config`), but reports
    /// success. It cannot send a request during a key exchange, but in that case the peer must send its part of the
    /// exchange.
    private func sendRequest(_ connection: isolated SSHConnection) -> Bool {
        let sentBefore = connection.wire.sentBytes
        // A failure means that the connection is lost, which the next call that waits will report.
        let result = try? connection.attempt("keepalive_send") { $0.sendKeepAlive() }
        return result == nil || connection.wire.sentBytes > sentBefore
    }
}
