import Foundation
import Synchronization

/// The test's end of a pipe.
///
/// Reads block dedicated threads, so that any number of tests can wait at once; writes block the calling thread.
package final class PipeEnd: Sendable {
    private let descriptor: Mutex<Int32?>

    init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        close()
    }

    /// Closes this end of the pipe; closing it twice is not an error.
    package func close() {
        descriptor.withLock {
            if let open = $0 { Glibc.close(open) }
            $0 = nil
        }
    }

    /// Writes all bytes; blocks while the pipe is full.
    ///
    /// Throws if the reader has closed its end.
    package func write(_ bytes: some Sequence<UInt8>) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(open, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw FixtureError("write: errno \(errno)") }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    package func write(_ text: String) throws {
        try write(text.utf8)
    }

    /// Reads until the other end is closed.
    package func readToEnd() async -> [UInt8] {
        await onThread {
            var all: [UInt8] = []
            while let chunk = self.readChunk(), !chunk.isEmpty { all += chunk }
            return all
        }
    }

    /// Reads at least `count` bytes, or fewer if the stream ends first.
    package func read(atLeast count: Int) async -> [UInt8] {
        await onThread {
            var all: [UInt8] = []
            while all.count < count, let chunk = self.readChunk(), !chunk.isEmpty { all += chunk }
            return all
        }
    }

    /// Reads until `text` has arrived; throws `FixtureError` if the stream ends first.
    @discardableResult
    package func read(until text: String) async throws -> String {
        let read = await onThread {
            var all = ""
            while !all.contains(text), let chunk = self.readChunk(), !chunk.isEmpty {
                all += String(decoding: chunk, as: UTF8.self)
            }
            return all
        }
        guard read.contains(text) else { throw FixtureError("'\(text)' did not arrive; received: \(read)") }
        return read
    }

    private var open: Int32 {
        descriptor.withLock { $0 ?? -1 }
    }

    private func readChunk() -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(open, &chunk, chunk.count)
            if count >= 0 { return Array(chunk.prefix(count)) }
            guard errno == EINTR else { return nil }
        }
    }
}

/// Runs a blocking call on a dedicated thread and waits for it.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}
