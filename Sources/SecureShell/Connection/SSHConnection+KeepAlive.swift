import Core
import NIOCore

/// Sends keep-alive requests to an idle peer, and closes the connection if they go unanswered.
///
/// libssh2 sends the requests but does not detect missing replies.
extension SSHConnection {
    func startKeepAlive(every interval: Duration, count: Int) {
        guard interval > .zero else { return }
        session.enableKeepAlive()
        keepAlive = (SilenceWatch(interval: TimeAmount(interval), count: count), nil)
        checkSilence(in: TimeAmount(interval))
    }

    func stopKeepAlive() {
        keepAlive?.timer?.cancel()
        keepAlive = nil
    }

    private func checkSilence(in delay: TimeAmount) {
        keepAlive?.timer = eventLoop.scheduleTask(in: delay) { [weak self] in
            self?.assumeIsolated { $0.checkSilence() }
        }
    }

    private func checkSilence() {
        guard var watch = keepAlive?.watch else { return }
        let step = watch.step(at: .now(), lastAnswer: wire.lastPacket, hasUnreadBytes: wire.hasUnreadBytes)
        switch step {
        case .wait(let delay): checkSilence(in: delay)
        case .ask:
            if sendKeepAlive() { watch.recordRequest(at: .now()) }
            checkSilence(in: watch.interval)
        case .giveUp(let silence):
            let seconds = Duration.nanoseconds(silence.nanoseconds).wholeMilliseconds / 1000
            fail(VTError(.hostUnreachable, "lost the connection to '\(name)': no response for \(seconds)s"))
        }
        keepAlive?.watch = watch
    }

    /// Sends a request; returns whether the peer must reply.
    ///
    /// libssh2 sends nothing if it sent a request within the last 2 s (`libssh2_keepalive_config`), but reports
    /// success. It cannot send a request during a key exchange, but in that case the peer must send its part of the
    /// exchange.
    private func sendKeepAlive() -> Bool {
        let sentBefore = wire.sentBytes
        // A failure means that the connection is lost, which the next call that waits will report.
        let result = try? attempt("keepalive_send") { $0.sendKeepAlive() }
        return result == nil || wire.sentBytes > sentBefore
    }

    /// The time since the server last sent anything.
    var silence: TimeAmount {
        wire.hasUnreadBytes ? .zero : .now() - wire.lastArrival
    }

    /// Returns whether the server answers a keep-alive request in time, if it has been silent for `silence` or longer.
    func answers(afterSilence silence: TimeAmount, within timeout: TimeAmount) async -> Bool {
        let received = wire.receivedBytes
        guard self.silence >= silence else { return true }
        let deadline = NIODeadline.now() + timeout
        let timer = eventLoop.scheduleTask(deadline: deadline) { [weak self] in
            self?.assumeIsolated { $0.wake() }
        }
        defer { timer.cancel() }
        do throws(SSHFailure) {
            session.enableKeepAlive()
            _ = try attempt("keepalive_send") { $0.sendKeepAlive() }
            while wire.receivedBytes == received {
                guard NIODeadline.now() < deadline else { return false }
                try await progress()
            }
            return true
        } catch {
            return false
        }
    }
}
