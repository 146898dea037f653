import Core
import Terminal

/// Finds out which line was typed, for shells that do not report it.
extension HolderLoop {
    /// The maximum length of the output from the start of the prompt to the start of the command.
    private static let typedBytes: UInt64 = 16 << 10

    /// The line that was typed at the last prompt, which has just ended; nil if the output does not show it.
    func typedLine() -> String? {
        guard let shell, let end = shell.status.promptOffset else { return nil }
        let start = min(shell.promptStart ?? end, end)
        guard start >= log.first, log.keptEnd == log.end, log.end - start <= Self.typedBytes else { return nil }
        let prompt = read(start, upTo: end)
        return TypedText.render(read(end, upTo: log.end), after: prompt, columns: record.size.columns)
    }

    private func read(_ start: UInt64, upTo end: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        _ = log.read(from: start, limit: Int(end - start), into: &bytes)
        return bytes
    }
}
