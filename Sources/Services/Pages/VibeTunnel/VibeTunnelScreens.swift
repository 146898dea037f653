import Core
import Runtime
import Terminal

/// The screens of a session, one after another, as they change.
struct VibeTunnelScreens: Sendable {
    private let sessions: ServedSessions
    private let found: ServedSession

    init(_ sessions: ServedSessions, _ found: ServedSession) {
        (self.sessions, self.found) = (sessions, found)
    }

    /// Passes on the current screen, and each later one that differs, unless the receiver is slow; returns the exit
    /// status once the session has ended, -1 if it is unknown.
    func follow(_ receive: (Screen) async throws(VTError) -> Void) async throws(VTError) -> Int32 {
        let changes = Monitor(UInt64(1))
        let clock = sessions.server.clock
        return try await sessions.watching(found, { changes.update { $0 += 1 } }) { watched throws(VTError) in
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
