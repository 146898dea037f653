import Core
import Glibc

/// Blocks signals for the whole process and receives them on a dedicated thread.
package enum SignalThread {
    /// Starts receiving these signals; must be called before any other thread is started, because threads inherit the
    /// mask.
    ///
    /// Signals that are ignored when vt starts (nohup(1), background jobs of sh) stay ignored. The corresponding C
    /// function is `sigwait`.
    package static func start(
        _ signals: [CInt],
        handler: @escaping @Sendable (CInt) -> Void
    ) throws(VTError) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals where !isIgnored(signal) { unsafe sigaddset(&set, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        let waited = set
        try startThread {
            var waited = waited
            while true {
                var signal: CInt = 0
                guard unsafe sigwait(&waited, &signal) == 0 else { return }
                handler(signal)
            }
        }
    }

    /// Blocks a signal for the current thread; a call on this thread that would raise the signal then only returns an
    /// error.
    package static func block(_ signal: CInt) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, signal)
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Stops the process until it is continued, like an unhandled TSTP.
    ///
    /// A process in an orphaned process group (setpgid(2)), which no shell can continue, is not stopped.
    package static func stop() {
        Glibc.signal(SIGTSTP, SIG_DFL)
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGTSTP)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(SIGTSTP)
        block(SIGTSTP)
    }

    /// Terminates the process with a signal, as if the signal were not handled; restores a guarded terminal first.
    package static func die(of signal: CInt) -> Never {
        TerminalGuard.restore()
        Glibc.signal(signal, SIG_DFL)
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, signal)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(signal)
        exit(128 + signal)
    }

    private static func isIgnored(_ signal: CInt) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(signal, nil, &action) == 0, let handler = unsafe action.__sigaction_handler.sa_handler
        else {
            return false
        }
        return unsafe unsafeBitCast(handler, to: Int.self) == 1
    }
}
