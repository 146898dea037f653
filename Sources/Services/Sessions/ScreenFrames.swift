import Core
import Terminal

/// The transfer format of a screen between two vt processes: the session's record, the size of the terminal, and the
/// bytes that reproduce the screen in a fresh terminal, in as many frames as needed.
package enum ScreenFrames {
    package static func bytes(of screen: SessionScreen) -> [UInt8] {
        let size = screen.size
        var bytes = SessionFrame.record(screen.session.json).encoded
        bytes += SessionFrame.resized(columns: UInt16(size.columns), rows: UInt16(size.rows)).encoded
        var rest = screen.state[...]
        while !rest.isEmpty {
            let part = rest.prefix(SessionFrame.screenLimitBytes)
            rest = rest.dropFirst(part.count)
            bytes += SessionFrame.screen(offset: screen.offset, bytes: Array(part)).encoded
        }
        return bytes
    }

    /// Parses the output of `bytes(of:)`; nil if it is incomplete or the size is invalid.
    static func screen(
        in bytes: [UInt8],
        scrollback: Int,
        from name: String
    ) throws(VTError) -> SessionScreen? {
        var decoder = SessionFrameDecoder()
        decoder.append(bytes)
        var record: Session?
        var offset: UInt64?
        var size = TerminalSize.standard
        var state: [UInt8] = []
        while let frame = try decoder.next() {
            switch frame {
            case .record(let json): record = try Session(json: json, source: "the response of \(name)")
            case .resized(let columns, let rows):
                guard let told = TerminalSize(columns: Int(columns), rows: Int(rows)) else { return nil }
                size = told
            case .screen(let end, let part):
                offset = end
                state += part
            default: continue
            }
        }
        guard let record, let offset else { return nil }
        return SessionScreen(session: record, offset: offset, size: size, state: state, scrollback: scrollback)
    }
}
