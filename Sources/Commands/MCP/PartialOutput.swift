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
    /// Whether the output starts at the first whole line.
    private let startsAtLine: Bool

    init(from start: UInt64, limit: Int, startsAtLine: Bool) {
        state = Mutex(State(start: start))
        self.limit = limit
        self.startsAtLine = startsAtLine
    }

    /// The output, cut at the ends of lines, and its offset.
    private func part(of session: Session) -> (bytes: [UInt8], start: UInt64) {
        var (bytes, start) = state.withLock { ($0.bytes, $0.start) }
        // The first line may be incomplete.
        if startsAtLine, start > 0, let newline = bytes.firstIndex(of: UInt8(ascii: "\n")), newline + 1 < bytes.count {
            bytes.removeFirst(newline + 1)
            start += UInt64(newline + 1)
        }
        guard start + UInt64(bytes.count) < session.outputBytes else { return (bytes, start) }
        let count = LimitedOutput.wholeLines(of: bytes)
        return (Array(bytes.prefix(count > 0 ? count : bytes.count)), start)
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
        var (renderer, rest) = (LineRenderer(size: session.size), part(of: session).bytes[...])
        var text: [UInt8] = []
        while !rest.isEmpty { text += renderer.render(&rest) }
        return text + renderer.finish()
    }

    /// The output as JSON; `isRaw` keeps what a terminal would interpret.
    func document(of session: Session, isRaw: Bool) -> [UInt8] {
        let (bytes, start) = part(of: session)
        let text = isRaw ? bytes : text(of: session)
        let end = start + UInt64(bytes.count)
        return JSONWriter.object { writer in
            if let valid = String(validating: text, as: UTF8.self) {
                writer.member("output", valid)
            } else {
                writer.member("output_base64", Base64.encode(text))
            }
            writer.member("from", start)
            writer.member("next_offset", end)
            writer.member("remaining_bytes", session.outputBytes - min(end, session.outputBytes))
            writer.member("state", session.state)
            writer.member("exit", session.exit)
        }
    }
}
