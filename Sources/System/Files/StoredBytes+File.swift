import Core
import Glibc

extension StoredBytes {
    /// The bytes of a regular file, as many as it has now; none of a file whose size is not known, as in /proc.
    ///
    /// - Throws: `io`.
    package init(of file: consuming OpenFile) throws(VTError) {
        let file = file
        let count = Int(try file.status().st_size)
        self.init(count: count) { range throws(VTError) in
            var bytes = try file.read(at: range.lowerBound, limit: range.count)
            while bytes.count < range.count {
                let more = try file.read(at: range.lowerBound + bytes.count, limit: range.count - bytes.count)
                guard !more.isEmpty else { throw VTError(.io, "'\(file.path)' became shorter while it was read") }
                bytes += more
            }
            return bytes
        }
    }
}
