import Core
import Glibc

/// A lock between processes.
///
/// It is `flock(2)` on a file that has no other use and is never removed: a lock on the data file itself would be lost
/// with every replacement. The system frees it when its holder dies.
package struct FileLock: Sendable {
    private let path: String
    private let timeout: Duration

    /// How long a lock is waited for; what vt does under a lock takes milliseconds.
    package static let timeout = Duration.seconds(10)

    /// `path` is made where it does not exist; its directory must be there.
    package init(at path: String, timeout: Duration = FileLock.timeout) {
        self.path = path
        self.timeout = timeout
    }

    /// Does something while no other holder of the lock does.
    ///
    /// - Throws: `busy` when the lock is not free within the timeout, `cannot-create` when its file cannot be made;
    ///   what `body` throws.
    package func hold<Result>(_ body: () throws(VTError) -> Result) throws(VTError) -> Result {
        let file = try OpenFile(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, failure: .cannotCreate)
        let deadline = ContinuousClock.now + timeout
        while try !file.tryLock() {
            guard ContinuousClock.now < deadline else {
                throw VTError(
                    .busy,
                    "another process holds the lock '\(path)'",
                    hint: "fuser -v \(ByteString(path).shellQuoted.repairedText)"
                )
            }
            // Between 1 and 5 ms, so that many waiters do not come at the same moments.
            usleep(UInt32.random(in: 1_000...5_000))
        }
        defer { file.unlock() }
        return try body()
    }
}
