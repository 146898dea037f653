import Core
import Glibc
import System

extension FileContents {
    private static let usualBytes = 4096

    /// The lines of a small text file, without empty ones; none if it cannot be opened.
    static func smallLines(_ path: String) -> [Substring] {
        String(decoding: readSmall(path) ?? [], as: UTF8.self).parts(at: "\n")
    }

    /// The contents of a small file, read with as few system calls as possible, up to the first read error; nil if it
    /// cannot be opened.
    ///
    /// Opening a FIFO does not block; it reads as empty. A short file needs only one `read` call; longer ones, such as
    /// some files in /proc, are read to their end.
    static func readSmall(_ path: String) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var contents: [UInt8] = []
        while true {
            let part = unsafe [UInt8](unsafeUninitializedCapacity: usualBytes) { buffer, count in
                count = max(0, unsafe Glibc.read(descriptor, buffer.baseAddress, usualBytes))
            }
            if contents.isEmpty { contents = part } else { contents += part }
            if part.count < usualBytes { return contents }
        }
    }
}
