import Core
import Runtime
import Terminal

extension ServedSessions {
    /// Passes on the current screen of a session, and each later one that differs, unless the receiver is slow; returns
    /// the exit status once the session has ended, -1 if it is unknown.
    func screens(
        of found: ServedSession,
        _ receive: (Screen) async throws(VTError) -> Void
    ) async throws(VTError) -> Int32 {
        let changes = Monitor(UInt64(1))
        let clock = server.clock
        return try await watching(found, { changes.update { $0 += 1 } }) { watched throws(VTError) in
            var (seen, last): (UInt64, UInt64) = (0, 0)
            var shown: Screen?
            while true {
                let known = last
                last = try await changes.wait { $0 == known ? nil : $0 }
                while let delay = watched.paint() {
                    try await clock.pause(for: delay)
                }
                let painted = watched.painted
                if painted.version > seen, let screen = painted.screen {
                    seen = painted.version
                    if screen != shown { try await receive(screen) }
                    shown = screen
                }
                switch watched.end {
                case nil: continue
                case .exit(let status, _): return Int32(status.shellStatus)
                case .some: return -1
                }
            }
        }
    }
}
