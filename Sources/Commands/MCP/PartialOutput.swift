import Core
import Services
import Synchronization
import Terminal

/// Part of the output of a session.
final class PartialOutput: OutputReceiver {
    private struct State {
        var bytes: [UInt8] = []
        var start: UInt64
    }

    private let state: Mutex<State>
    private let limit: Int

    init(from start: UInt64, limit: Int) {
        state = Mutex(State(start: start))
        self.limit = limit
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        state.withLock { state in
            if state.bytes.isEmpty { state.start = offset }
            state.bytes += bytes.prefix(limit - state.bytes.count)
            return state.bytes.count < limit
        }
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        state.withLock { state in
            if state.bytes.isEmpty { state.start = end }
        }
    }

    /// The text that a terminal would show.
    func text(of session: Session) -> [UInt8] {
        var (renderer, rest) = (LineRenderer(size: session.size), state.withLock { $0.bytes[...] })
        var text: [UInt8] = []
        while !rest.isEmpty { text += renderer.render(&rest) }
        return text + renderer.finish()
    }

    /// The output as JSON; `isRaw` keeps what a terminal would interpret.
    func document(of session: Session, isRaw: Bool) -> [UInt8] {
        let (bytes, start) = state.withLock { ($0.bytes, $0.start) }
        let text = isRaw ? bytes : text(of: session)
        let end = start + UInt64(bytes.count)
        return JSONWriter.object { writer in
            if let valid = String(validating: text, as: UTF8.self) {
                writer.member("output", valid)
            } else {
                writer.member("output_base64", Base64.encode(text))
            }
            writer.member("from", start)
            writer.member("to", end)
            writer.member("next_offset", end)
            writer.member("remaining_bytes", session.outputBytes - min(end, session.outputBytes))
            writer.member("state", session.state)
            writer.member("exit", session.exit)
        }
    }
}
