import Core
import Services

/// Prints output as session frames, followed by the session's record.
final class FramePrinter: LogPrinter {
    private let output: any ByteSink

    init(_ output: any ByteSink) {
        self.output = output
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        try await output.write(SessionFrame.outputHead(offset: offset, count: bytes.count) + bytes)
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        try await output.write(SessionFrame.gap(from: start, to: end).encoded)
    }

    func finish(_ session: Session) async throws(VTError) {
        try await output.write(SessionFrame.record(session.json).encoded)
    }
}
