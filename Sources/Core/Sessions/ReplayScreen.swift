import Synchronization

/// Shows a session's screen by writing its latest output once more, from a point where little came before it matters.
///
/// Such a point is the last clearing of the screen or, where that is long ago, some place between two sequences at
/// most `windowBytes` before the end. What was set before that point and is still in force is set again first; what a
/// terminal would answer is left out. When the other screen is shown, the main one beneath it is written before.
///
/// The output is scanned once: each call goes on where the last one ended. All calls are about the same session.
package final class ReplayScreen: ScreenSource {
    private let progress = Mutex(ReplayProgress())

    /// The most output that is written again for each of the two screens.
    package static let windowBytes: UInt64 = 256 << 10
    private static let chunkBytes = 64 << 10
    /// Ends a string that is still open, and makes the screen empty.
    private static let clearing = "\u{1B}\\\u{1B}[m\u{1B}(B\u{0F}\u{1B}[r\u{1B}[H\u{1B}[2J"

    package init() {}

    /// Scans the output up to `end`, so that a later call has less to do.
    package func follow(_ log: any SessionLog, end: UInt64) throws(VTError) {
        try progress.withLock { progress throws(VTError) in try Self.advance(&progress, log, end) }
    }

    package func screen(of log: any SessionLog, end: UInt64, size: TerminalSize) throws(VTError) -> [UInt8] {
        try progress.withLock { progress throws(VTError) in
            try Self.advance(&progress, log, end)
            let end = progress.position
            var bytes = Array(Self.clearing.utf8)
            if let entry = progress.entry,
                let point = progress.mainPoint(from: try Self.earliest(before: entry.position, log))
            {
                try Self.replay(from: point, to: entry.position, of: log, into: &bytes)
                bytes += Array(entry.modes.resetting.utf8)
            }
            if let point = progress.shownPoint(from: try Self.earliest(before: end, log)) {
                try Self.replay(from: point, to: end, of: log, into: &bytes)
            } else {
                bytes += Array(progress.modes.restoring.utf8) + (progress.openString ?? [])
            }
            return bytes
        }
    }

    /// The first byte that may be written again where the output ends at `end`.
    private static func earliest(before end: UInt64, _ log: any SessionLog) throws(VTError) -> UInt64 {
        max(try log.firstOffset(), end - min(end, windowBytes))
    }

    private static func advance(
        _ progress: inout ReplayProgress,
        _ log: any SessionLog,
        _ end: UInt64
    ) throws(VTError) {
        while progress.position < end {
            let wanted = min(UInt64(chunkBytes), end - progress.position)
            let bytes = try log.read(from: progress.position, limit: Int(wanted))
            let first = try log.firstOffset()
            if first > progress.position {
                progress.skip(to: first)
                continue
            }
            // The log stopped before this: what follows is not kept.
            guard !bytes.isEmpty else { return }
            progress.scan(bytes)
        }
    }

    private static func replay(
        from point: ReplayProgress.Point,
        to end: UInt64,
        of log: any SessionLog,
        into bytes: inout [UInt8]
    ) throws(VTError) {
        var output: [UInt8] = []
        while point.position + UInt64(output.count) < end {
            let start = point.position + UInt64(output.count)
            let more = try log.read(from: start, limit: Int(end - start))
            guard !more.isEmpty else { break }
            output += more
        }
        bytes += Array(point.modes.restoring.utf8)
        bytes += EscapeScanner.withoutLive(output)
    }
}
