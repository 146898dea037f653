import Core
import Recording

extension LocalSessions {
    package func record(_ name: String, _ request: RecordRequest, to sink: any ByteSink) async throws(VTError) {
        let session = try host.session(name)
        guard !request.includesInput || session.logsInput else {
            throw VTError(
                .usage,
                "'\(session.name)' does not log what is typed",
                hint: "vt sessions create NAME --log-input"
            )
        }
        var export = try SessionExport(session, log: try host.log(of: session.id), request, diagnostics)
        var pause = Self.shortPause
        while true {
            let isOver = try await export.advance(to: sink)
            if isOver || !request.follows { break }
            guard !export.hasAdvanced else {
                pause = Self.shortPause
                try await self.pause(pause)
                continue
            }
            if pause >= Self.longPause, try await !isLive(session) {
                // It may have written until the moment that it was found to be gone.
                _ = try await export.advance(to: sink)
                break
            }
            pause = min(pause * 2, Self.longPause)
            try await self.pause(pause)
        }
        try await export.finish(to: sink)
    }

    /// How long is waited before looking for what came: after something did, and at most.
    ///
    /// The holder is asked for nothing, so that a recorder costs the session nothing, and what is written while it
    /// waits is read and written in one go.
    private static let shortPause = Duration.milliseconds(10)
    private static let longPause = Duration.milliseconds(160)

    private func isLive(_ session: SessionRecord) async throws(VTError) -> Bool {
        do throws(VTError) {
            return try host.session(session.id.text).state.isLive
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }
}
