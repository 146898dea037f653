import Glibc

/// Reads files that are small and many.
enum SmallFile {
    private static let usualBytes = 4096

    /// What the file holds; nil where there is none, or it cannot be read.
    ///
    /// A FIFO in the place of a file is read as an empty file instead of blocking. One read is enough for a regular file that is shorter than asked for; those of /proc are read to their end.
    static func read(_ path: String) -> [UInt8]? {
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
