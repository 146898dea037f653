import CLinux
import Core
import Glibc

/// Releases and reserves blocks of a sparse file without changing the offsets of its bytes.
package enum FileSpace {
    /// Deallocates the blocks of a range of the file; returns 0 or the errno.
    ///
    /// The corresponding C function is `fallocate` with FALLOC_FL_PUNCH_HOLE.
    package static func release(_ descriptor: CInt, _ range: Range<UInt64>) -> CInt {
        clinux_release(descriptor, off_t(range.lowerBound), off_t(range.count))
    }

    /// Allocates the blocks of a range of the file, so that writing there needs no further space.
    ///
    /// The length of the file is unchanged. Returns 0 or the errno.
    ///
    /// The corresponding C function is `fallocate` with FALLOC_FL_KEEP_SIZE.
    package static func reserve(_ descriptor: CInt, _ range: Range<UInt64>) -> CInt {
        clinux_reserve(descriptor, off_t(range.lowerBound), off_t(range.count))
    }

    /// Returns the offset of the first byte at or after `position` that is not in a hole.
    ///
    /// Returns nil if there is no such byte, or the file system does not support the search.
    ///
    /// The corresponding C function is `lseek` with SEEK_DATA.
    package static func firstData(_ descriptor: CInt, from position: UInt64 = 0) -> UInt64? {
        guard let position = off_t(exactly: position) else { return nil }
        var found: off_t = 0
        guard unsafe clinux_first_data(descriptor, position, &found) == 0 else { return nil }
        return UInt64(found)
    }

    /// Returns the length of the file; 0 if it cannot be determined.
    package static func length(_ descriptor: CInt) -> UInt64 {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return 0 }
        return UInt64(clamping: status.st_size)
    }
}
