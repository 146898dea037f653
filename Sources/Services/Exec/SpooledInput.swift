import Core
import POSIX
import Synchronization

/// One input for several readers, each of which gets all of it at its own pace.
///
/// The input is stored in an unnamed file, so that memory use is bounded, and a reader that stalls or has not started
/// yet does not block others. The file is created when the first bytes arrive.
final class SpooledInput: Sendable {
    private struct State {
        var progress = SpoolReader.Progress()
        /// The readers to notify of more input; empty once the input has ended.
        var readers: [SpoolReader] = []
    }

    private let source: any ByteSource
    private let state = Mutex(State())

    init(_ source: any ByteSource) {
        self.source = source
    }

    /// Reads the source until it ends or the task is canceled.
    func fill() async {
        do throws(VTError) {
            while let bytes = try await source.read() {
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

    /// Returns a reader that starts at the first byte.
    func reader() -> any ByteSource {
        let reader = SpoolReader()
        state.withLock { state in
            reader.advance(to: state.progress)
            if !state.progress.isEnded { state.readers.append(reader) }
        }
        return reader
    }

    private func publish(_ change: (inout SpoolReader.Progress) -> Void) {
        let (progress, readers) = state.withLock { state in
            change(&state.progress)
            defer { if state.progress.isEnded { state.readers = [] } }
            return (state.progress, state.readers)
        }
        for reader in readers { reader.advance(to: progress) }
    }
}

/// One reader of a spooled input.
private final class SpoolReader: ByteSource {
    struct Progress: Sendable {
        var size: Int64 = 0
        var isEnded = false
        var failure: VTError?
        var file: SpoolFile?
    }

    private let progress = Monitor(Progress())
    private let offset = Mutex<Int64>(0)

    private static let chunkBytes: Int64 = 64 * 1024

    func advance(to progress: Progress) {
        // Concurrent updates may arrive out of order.
        self.progress.update { seen in
            if progress.size >= seen.size, progress.isEnded || !seen.isEnded { seen = progress }
        }
    }

    func read() async throws(VTError) -> [UInt8]? {
        let offset = offset.withLock { $0 }
        let seen = try await progress.wait { $0.size > offset || $0.isEnded ? $0 : nil }
        guard seen.size > offset, let file = seen.file else {
            if let failure = seen.failure { throw failure }
            return nil
        }
        let bytes = try file.read(at: offset, limit: Int(min(seen.size - offset, Self.chunkBytes)))
        self.offset.withLock { $0 += Int64(bytes.count) }
        return bytes
    }
}
