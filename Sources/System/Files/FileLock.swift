import Core
import Glibc

/// A lock that excludes other processes.
///
/// It uses `flock(2)` on a file that has no other use and is never removed: a lock on the data file itself would be
/// lost whenever that file is replaced. The system releases the lock when the process that holds it ends.
package struct FileLock: Sendable {
    private let path: String
    private let timeout: Duration

    /// How long to wait for a lock; vt holds locks only for milliseconds.
    package static let timeout = Duration.seconds(10)

    /// `path` is created if necessary; its directory must exist.
    package init(at path: String, timeout: Duration = FileLock.timeout) {
        self.path = path
        self.timeout = timeout
    }

    /// Runs `body` while holding the lock.
    ///
    /// - Throws: `busy` when the lock is not free within the timeout, `cannot-create` when its file cannot be created;
    ///   errors thrown by `body`.
    package func hold<Result: ~Copyable>(_ body: () throws(VTError) -> Result) throws(VTError) -> Result {
        let file = try OpenFile(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, failure: .cannotCreate)
        let deadline = ContinuousClock.now + timeout
        while try !file.tryLock() {
            guard ContinuousClock.now < deadline else {
                throw VTError(
                    .busy,
                    "another process holds the lock '\(path)'",
                    hint: "to see which one, run: fuser -v \(ByteString(path).shellQuoted.repairedText)"
                )
            }
            // 1 to 5 ms at random, so that waiting processes do not all retry at the same moment.
            blockThread(for: .microseconds(Int.random(in: 1_000...5_000)))
        }
        defer { file.unlock() }
        return try body()
    }

    /// Repeats `body`, which takes a lock without waiting for it, until it no longer throws `busy`.
    ///
    /// Unlike `hold`, this does not block the thread while waiting.
    ///
    /// - Throws: `busy` when the lock is not free within `limit`; `VTError.cancelled`; errors thrown by `body`.
    package static func retry<Result: ~Copyable>(
        within limit: Duration = timeout,
        on clock: any Clock<Duration>,
        _ body: () throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let deadline = ContinuousClock.now + limit
        while true {
            do throws(VTError) {
                return try body()
            } catch {
                guard error.code == .busy, ContinuousClock.now < deadline else { throw error }
            }
            try await clock.pause(for: .milliseconds(Int.random(in: 5...25)))
        }
    }
}
