import Arguments
import Core
import Services
import Synchronization

/// Reports the progress and the failures of a copy.
final class CopyReport: CopyObserver {
    private struct Counts {
        var files = 0
        var bytes: UInt64 = 0
        var failures = 0
        /// A failure to print an event, which is reported at the end.
        var outputFailure: VTError?
    }

    private let context: Context
    private let start = ContinuousClock.now
    private let counts = Mutex(Counts())

    init(_ context: Context) {
        self.context = context
    }

    func transferred(bytes: UInt64) {
        let (files, total) = counts.withLock { counts in
            counts.bytes += bytes
            return (counts.files, counts.bytes)
        }
        context.diagnostics.progress(Self.line(files: files, bytes: total, after: start.duration(to: .now)))
    }

    func copied(_ item: CopyItem) {
        if item.attributes.kind != .directory { counts.withLock { $0.files += 1 } }
        show(CopyEvent(.copied, item))
    }

    func skipped(_ item: CopyItem) {
        show(CopyEvent(.skipped, item))
    }

    func failed(_ source: ByteString, _ error: VTError) {
        counts.withLock { $0.failures += 1 }
        if context.global.json {
            show(CopyEvent(source, error))
        } else {
            context.diagnostics.note("\(error.message) (\(error.code.rawValue))")
        }
    }

    /// Returns the exit status of a copy that has ended.
    ///
    /// - Throws: A failure to print events.
    func finish() throws(VTError) -> UInt8 {
        let counts = counts.withLock { $0 }
        if let failure = counts.outputFailure { throw failure }
        guard counts.failures > 0 else { return 0 }
        context.diagnostics.note("\(counts.failures) \(counts.failures == 1 ? "file" : "files") not copied")
        return VTError.Code.negative.status
    }

    private func show(_ event: CopyEvent) {
        guard context.global.json else { return }
        do throws(VTError) {
            try context.output.jsonLine(event)
        } catch {
            counts.withLock { $0.outputFailure = $0.outputFailure ?? error }
        }
    }

    /// Returns the text of the progress line.
    static func line(files: Int, bytes: UInt64, after time: Duration) -> String {
        let seconds = max(time / .seconds(1), 0.001)
        let rate = mebibytes(Double(bytes) / seconds)
        return "\(files) \(files == 1 ? "file" : "files"), \(mebibytes(Double(bytes))) MiB, \(rate) MiB/s"
    }

    /// A number of MiB with one decimal.
    private static func mebibytes(_ bytes: Double) -> String {
        let tenths = Int((bytes * 10 / Double(1 << 20)).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
