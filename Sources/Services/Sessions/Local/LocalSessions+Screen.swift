import Core
import System
import Terminal

extension LocalSessions {
    package func screen(of name: String, _ request: ScreenRequest) async throws(VTError) -> SessionScreen {
        let session = try host.session(name)
        // The holder has already processed all output, but keeps only a few rows of scrollback.
        if request == ScreenRequest(), session.state.isLive, let screen = await heldScreen(of: session) {
            return screen
        }
        let log = try log(of: session)
        if request.offset == nil { try reportMissingOutput(of: session, in: log) }
        return try await onOwnThread { () throws(VTError) in try Self.replay(log, of: session, request) }
    }

    /// The screen from the holder; nil if the holder cannot provide it.
    private func heldScreen(of session: Session) async -> SessionScreen? {
        do throws(VTError) {
            return try await withHolder(of: session) { connection throws(VTError) in
                let attached = try await connection.attach(.reader(from: nil))
                var size = attached.size ?? session.size
                while let frame = try await connection.next() {
                    switch frame {
                    case .resized(let changed): size = changed
                    case .screen(_, let bytes) where bytes.isEmpty: return nil
                    case .screen(let offset, let bytes):
                        return SessionScreen(session: session, offset: offset, size: size, state: bytes)
                    case .failure(let error): throw error
                    case .exit: return nil
                    default: continue
                    }
                }
                return nil
            }
        } catch {
            // The log gives the same result, but takes longer.
            diagnostics.detail("\(error.message); replaying the log instead")
            return nil
        }
    }

    private static func replay(
        _ log: any SessionLog,
        of session: Session,
        _ request: ScreenRequest
    ) throws(VTError) -> SessionScreen {
        let end = try end(of: log, session, wanted: request.offset)
        let scrollbackBytes = SessionScreen.scrollbackBytes(rows: request.scrollback)
        var replay = LogEmulator(size: session.size, scrollbackBytes: scrollbackBytes)
        try replay.follow(log, to: end)
        var emulator = replay.emulator
        if let size = request.size { emulator.resize(to: size) }
        return SessionScreen(
            session: session,
            offset: end,
            size: emulator.size,
            state: StateRenderer.render(emulator, scrollback: request.scrollback),
            scrollback: request.scrollback
        )
    }

    /// The end of the output to show: `offset` or, if it is nil, the end of the log.
    private static func end(
        of log: any SessionLog,
        _ session: Session,
        wanted offset: UInt64?
    ) throws(VTError) -> UInt64 {
        let end = try log.endOffset()
        guard let offset else { return end }
        guard offset <= end else {
            throw VTError(.dataInvalid, "offset \(offset) is beyond the end of the output (\(end))")
        }
        let first = try log.firstOffset()
        guard offset >= first else {
            throw VTError(
                .dataInvalid,
                "output before offset \(first) has been discarded",
                hint: "to see the last screen, use 'vt sessions screen \(session.name) --at \(end)'"
            )
        }
        return offset
    }
}
