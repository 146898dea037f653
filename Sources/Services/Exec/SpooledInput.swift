import Core
import Runtime
import System

/// One input for several readers, each of which gets all of it at its own pace.
///
/// The input is stored in an unnamed file, so that memory use is bounded, and a reader that stalls or has not started
/// yet does not block others. The file is created when the first bytes arrive. Input is read only slightly ahead of the
/// fastest reader, and what all readers have read is released. If the slowest reader falls too far behind, no more
/// input is read until it has caught up.
final class SpooledInput: Sendable {
    fileprivate struct Progress: Sendable {
        var size: Int64 = 0
        var isEnded = false
        var failure: VTError?
        var file: SpoolFile?
    }

    private struct State {
        var progress = Progress()
        /// The number of readers that have not been created yet, and need the input from its start.
        var expectedReaders: Int
        /// The readers that still exist, by number.
        var readers: [Int: Reader] = [:]
        var lastNumber = 0
        /// The offset of the slowest reader, up to which the file can be released.
        var slowest: Int64 = 0
        /// The offset of the fastest reader.
        var fastest: Int64 = 0
        /// The offset up to which the file has been released.
        var released: Int64 = 0
        /// Whether no more input is read until the readers have caught up.
        var isPaused = false

        mutating func findOffsets() {
            let offsets = readers.values.lazy.map(\.offset)
            slowest = expectedReaders > 0 ? 0 : offsets.min() ?? progress.size
            fastest = max(fastest, offsets.max() ?? 0)
        }
    }

    private struct Reader {
        var offset: Int64 = 0
        let progress: Monitor<Progress>
    }

    private let source: any ByteSource
    private let limitBytes: Int64
    private let state: Monitor<State>

    /// How far the slowest reader may fall behind.
    static let limitBytes: Int64 = 1 << 30
    /// How far to read ahead of the fastest reader.
    private static let aheadBytes: Int64 = 1 << 20
    /// The file is released in steps of at least this size.
    private static let releaseBytes: Int64 = 1 << 20

    /// `readerCount` is the number of readers that will be created.
    init(_ source: any ByteSource, readerCount: Int, limitBytes: Int64 = SpooledInput.limitBytes) {
        self.source = source
        self.limitBytes = limitBytes
        state = Monitor(State(expectedReaders: readerCount))
    }

    /// Reads the source until it ends or the task is canceled.
    func fill() async {
        do throws(VTError) {
            while let bytes = try await source.read() {
                try await waitForRoom()
                let file = try state.withLock { state throws(VTError) in
                    if let file = state.progress.file { return file }
                    let file = try SpoolFile()
                    state.progress.file = file
                    return file
                }
                try file.append(bytes)
                publish { $0.size += Int64(bytes.count) }
            }
            publish { $0.isEnded = true }
        } catch {
            publish { progress in
                progress.isEnded = true
                progress.failure = error
            }
        }
    }

    /// Waits until the fastest reader needs more input, and the slowest one is less than `limitBytes` behind.
    ///
    /// - Throws: `io` when there are readers that have not been created yet, because the others might not end before
    ///   they get more input.
    private func waitForRoom() async throws(VTError) {
        let isKept = try await state.wait { [limitBytes] state -> Bool? in
            let size = state.progress.size
            state.isPaused = size - state.fastest >= Self.aheadBytes || size - state.slowest >= limitBytes
            guard state.isPaused else { return true }
            let isNeeded = size - state.fastest < Self.aheadBytes
            return isNeeded && state.expectedReaders > 0 ? false : nil
        }
        guard isKept else {
            throw VTError(
                .io,
                "standard input is larger than \(limitBytes >> 20) MiB, which is the most that is kept for targets "
                    + "that have not started yet",
                hint: "to start all targets at the same time, use --parallel"
            )
        }
    }

    /// Returns a reader that starts at the first byte; the input is kept for it until it is deallocated.
    func reader() -> any ByteSource {
        let progress = Monitor(Progress())
        let number = state.withLock { state in
            state.lastNumber += 1
            state.expectedReaders -= 1
            // After a failure, there is nothing to read but the error.
            let offset = state.progress.failure == nil ? 0 : state.progress.size
            state.readers[state.lastNumber] = Reader(offset: offset, progress: progress)
            progress.update { $0 = state.progress }
            return state.lastNumber
        }
        return SpoolReader(number, of: self, progress)
    }

    /// Reads the next bytes of a reader; nil after the end.
    fileprivate func read(
        _ number: Int,
        _ progress: Monitor<Progress>,
        limit: Int64
    ) async throws(VTError) -> [UInt8]? {
        let offset = state.withLock { $0.readers[number]?.offset ?? $0.progress.size }
        let seen = try await progress.wait { $0.size > offset || $0.isEnded ? $0 : nil }
        guard seen.size > offset, let file = seen.file else {
            if let failure = seen.failure { throw failure }
            return nil
        }
        let bytes = try file.read(at: offset, limit: Int(min(seen.size - offset, limit)))
        release { $0.readers[number]?.offset += Int64(bytes.count) }
        return bytes
    }

    fileprivate func remove(_ number: Int) {
        release { $0.readers[number] = nil }
    }

    /// Changes the readers, releases what all of them have read, and continues reading if there is room again.
    private func release(after change: (inout State) -> Void) {
        let (file, range, continues) = state.withLock { state -> (SpoolFile?, Range<Int64>, Bool) in
            change(&state)
            state.findOffsets()
            let continues = state.isPaused
            let start = state.released
            let isWorthwhile = state.slowest - start >= Self.releaseBytes
            if isWorthwhile { state.released = state.slowest }
            return (state.progress.file, start..<state.released, continues)
        }
        if !range.isEmpty { file?.release(range) }
        if continues { state.update { _ in } }
    }

    private func publish(_ change: (inout Progress) -> Void) {
        let (progress, readers) = state.withLock { state in
            change(&state.progress)
            return (state.progress, state.readers.values.map(\.progress))
        }
        for reader in readers {
            reader.update { seen in
                // `reader()` may have passed on newer progress.
                if progress.size >= seen.size, progress.isEnded || !seen.isEnded { seen = progress }
            }
        }
    }
}

/// One reader of a spooled input.
private final class SpoolReader: ByteSource {
    private let number: Int
    private let input: SpooledInput
    private let progress: Monitor<SpooledInput.Progress>

    private static let chunkBytes: Int64 = 64 * 1024

    init(_ number: Int, of input: SpooledInput, _ progress: Monitor<SpooledInput.Progress>) {
        self.number = number
        self.input = input
        self.progress = progress
    }

    deinit {
        input.remove(number)
    }

    func read() async throws(VTError) -> [UInt8]? {
        try await input.read(number, progress, limit: Self.chunkBytes)
    }
}
