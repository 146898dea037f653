import CLinux
import Core
import Glibc

/// What changes when a file is written to or replaced (inode(7)).
///
/// The time of the last change to the inode is included because, unlike the others, programs cannot set it.
package struct FileVersion: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t
    package let sizeBytes: off_t
    private let seconds: time_t
    private let nanoseconds: Int
    private let changeSeconds: time_t
    private let changeNanoseconds: Int

    package init(_ status: stat) {
        device = status.st_dev
        number = status.st_ino
        sizeBytes = status.st_size
        (seconds, nanoseconds) = status.modificationTime
        (changeSeconds, changeNanoseconds) = status.changeTime
    }

    /// The version of the file at a path; nil if it cannot be accessed.
    package init?(at path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Whether another version of the same file differs at most in the time of the last change to the inode, which
    /// also changes when another link to the file is removed.
    package func equalsIgnoringLinks(_ other: FileVersion) -> Bool {
        device == other.device && number == other.number && sizeBytes == other.sizeBytes && seconds == other.seconds
            && nanoseconds == other.nanoseconds
    }

    /// A hash that is the same in every process.
    package var hash: UInt64 {
        let numbers = [
            Int(bitPattern: device), Int(bitPattern: number), sizeBytes, seconds, nanoseconds, changeSeconds,
            changeNanoseconds,
        ]
        return StableHash.hash(unsafe numbers.withUnsafeBytes { unsafe Array($0) })
    }
}

extension stat {
    /// When the contents last changed, in seconds and nanoseconds.
    package var modificationTime: (seconds: time_t, nanoseconds: Int) { (st_mtim.tv_sec, st_mtim.tv_nsec) }

    /// When the inode last changed, in seconds and nanoseconds.
    package var changeTime: (seconds: time_t, nanoseconds: Int) { (st_ctim.tv_sec, st_ctim.tv_nsec) }
}
