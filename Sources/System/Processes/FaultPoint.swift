#if DEBUG
    import Glibc

    /// Points between system calls at which a test can make vt crash.
    package enum FaultPoint {
        /// Exits without cleaning up if the environment variable `VT_FAULT` names this point; stops this process if the
        /// variable is `stop:` and the name.
        package static func reach(_ name: String) {
            guard let wanted = unsafe getenv("VT_FAULT") else { return }
            if unsafe strcmp(wanted, name) == 0 { _exit(99) }
            if unsafe strcmp(wanted, "stop:\(name)") == 0 { raise(SIGSTOP) }
        }
    }
#endif
