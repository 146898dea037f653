import Core
import Services

/// Prints output, and records in a cursor file what standard output has accepted.
struct LogReceiver: OutputReceiver {
    let printer: any LogPrinter
    let output: any OutputQueue
    /// Output from this offset on is not printed, and stops the call.
    let end: UInt64
    /// Nil if there is no cursor file.
    let cursor: LogCursor?

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        guard offset < end else { return false }
        let part = bytes.prefix(Int(clamping: end - offset))
        guard try await printer.output(Array(part), at: offset) else { return false }
        let next = offset + UInt64(part.count)
        try await save(next - UInt64(printer.heldBytes))
        return next < end
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        guard start < self.end else { return }
        let end = min(end, self.end)
        try await printer.gap(from: start, to: end)
        try await save(end)
    }

    private func save(_ offset: UInt64) async throws(VTError) {
        guard let cursor else { return }
        try await output.drain()
        try cursor.write(offset)
    }
}
