import Core
import Services

/// Passes on the output before an offset, and then stops the call.
struct OutputPrefix: OutputReceiver {
    private let receiver: any OutputReceiver
    private let end: UInt64

    init(of receiver: any OutputReceiver, end: UInt64) {
        self.receiver = receiver
        self.end = end
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        guard offset < end else { return false }
        let part = bytes.prefix(Int(clamping: end - offset))
        guard try await receiver.output(Array(part), at: offset) else { return false }
        return offset + UInt64(bytes.count) < end
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        guard start < self.end else { return }
        try await receiver.gap(from: start, to: min(end, self.end))
    }

    func resized(to size: TerminalSize) async throws(VTError) {
        try await receiver.resized(to: size)
    }
}
