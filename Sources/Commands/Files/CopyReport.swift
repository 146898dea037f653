import Arguments
import Core
import Services
import Synchronization

/// Reports the progress and the failures of a copy, or of the copy to or from one of several targets.
final class CopyReport: CopyObserver {
    private struct Counts {
        var files = 0
        var bytes: UInt64 = 0
        /// The sizes of all files that have been found.
        var foundBytes: UInt64 = 0
        /// The number of copies that have not found all of their files.
        var searches = 1
        var failures = 0
        /// A failure to print an event, which is reported at the end.
        var outputFailure: VTError?
    }

    /// The state shared by the reports of all targets.
    private final class Totals: Sendable {
        let start = ContinuousClock.now
        let counts = Mutex(Counts())
    }

    private let context: Context
    /// The name of the target, if there are several.
    private let target: String?
    private let totals: Totals
    private let isSearching = Mutex(true)

    convenience init(_ context: Context) {
        self.init(context, target: nil, totals: Totals())
    }

    private init(_ context: Context, target: String?, totals: Totals) {
        self.context = context
        self.target = target
        self.totals = totals
    }

    /// Returns one report per target.
    ///
    /// They replace this report as observers and share its totals.
    func parts(for targets: [String]) -> [CopyReport] {
        totals.counts.withLock { $0.searches = targets.count }
        return targets.map { CopyReport(context, target: $0, totals: totals) }
    }

    func found(_ item: CopyItem) {
        guard item.attributes.kind == .file else { return }
        // A server can report any size.
        totals.counts.withLock { $0.foundBytes &+= item.attributes.sizeBytes ?? 0 }
    }

    func foundAll() {
        let isFirst = isSearching.withLock { isSearching in
            defer { isSearching = false }
            return isSearching
        }
        if isFirst { totals.counts.withLock { $0.searches -= 1 } }
    }

    func transferred(bytes: UInt64) {
        let counts = totals.counts.withLock { counts in
            counts.bytes &+= bytes
            return counts
        }
        let line = Self.line(
            files: counts.files,
            bytes: counts.bytes,
            of: counts.searches == 0 ? counts.foundBytes : nil,
            after: totals.start.duration(to: .now)
        )
        context.diagnostics.progress(line)
    }

    func copied(_ item: CopyItem) {
        if item.attributes.kind != .directory { totals.counts.withLock { $0.files += 1 } }
        show(CopyEvent(.copied, item, target: target))
    }

    func skipped(_ item: CopyItem) {
        show(CopyEvent(.skipped, item, target: target))
    }

    func note(_ message: String) {
        context.diagnostics.note("\(target.map { $0 + ": " } ?? "")\(message)")
    }

    /// Reports that the copy to or from this target has failed; the message follows at the end of the run.
    func failed(_ error: VTError) {
        // No more files will be found.
        foundAll()
        show(CopyEvent(nil, error, target: target))
    }

    func failed(_ source: ByteString, _ error: VTError) {
        totals.counts.withLock { $0.failures += 1 }
        if context.global.json {
            show(CopyEvent(source, error, target: target))
        } else {
            context.diagnostics.failure("\(target.map { $0 + ": " } ?? "")\(error.message) (\(error.code.rawValue))")
        }
    }

    /// Returns the exit status of a copy that has ended.
    ///
    /// - Throws: A failure to print events.
    func finish() throws(VTError) -> UInt8 {
        let counts = totals.counts.withLock { $0 }
        if let failure = counts.outputFailure { throw failure }
        guard counts.failures > 0 else { return 0 }
        context.diagnostics.failure("\(counts.failures) \(counts.failures == 1 ? "file" : "files") not copied")
        return VTError.Code.negative.status
    }

    private func show(_ event: CopyEvent) {
        guard context.global.json else { return }
        do throws(VTError) {
            try context.output.jsonLine(event)
        } catch {
            totals.counts.withLock { $0.outputFailure = $0.outputFailure ?? error }
        }
    }

    /// The longest remaining time to show, in seconds; longer estimates are meaningless.
    private static let maximumTimeLeft = 1e7

    /// Returns the text of the progress line; `total` is nil while it is unknown.
    static func line(files: Int, bytes: UInt64, of total: UInt64?, after time: Duration) -> String {
        let seconds = max(time / .seconds(1), 0.001)
        let rate = Double(bytes) / seconds
        // The count says nothing about a single file.
        let count = files > 0 ? "\(files) \(files == 1 ? "file" : "files"), " : ""
        var line = "\(count)\(mebibytes(Double(bytes)))"
        if let total { line += " of \(mebibytes(Double(total)))" }
        line += " MiB"
        if let total, total > 0 { line += " (\(Int(min(Double(bytes) / Double(total) * 100, 100)))%)" }
        line += ", \(mebibytes(rate)) MiB/s"
        guard let total, total > bytes, bytes > 0 else { return line }
        let left = (Double(total - bytes) / rate).rounded(.up)
        return left < maximumTimeLeft ? line + ", \(Duration.seconds(left).shortText) left" : line
    }

    /// A number of MiB with one decimal place.
    private static func mebibytes(_ bytes: Double) -> String {
        let tenths = Int((bytes * 10 / Double(1 << 20)).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
