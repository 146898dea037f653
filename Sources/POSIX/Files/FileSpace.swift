import CPTY
import Core
import Glibc

/// Files with holes: what is released takes no space, and no offset changes.
package enum FileSpace {
    /// Gives the blocks of a part of the file back; returns 0 or the errno.
    ///
    /// The corresponding C function is `fallocate` with FALLOC_FL_PUNCH_HOLE.
    package static func release(_ descriptor: CInt, _ range: Range<UInt64>) -> CInt {
        clinux_release(descriptor, off_t(range.lowerBound), off_t(range.count))
    }

    /// Allocates the blocks of a part of the file, so that writing there needs none.
    ///
    /// The length of the file does not change. Returns 0 or the errno.
    ///
    /// The corresponding C function is `fallocate` with FALLOC_FL_KEEP_SIZE.
    package static func reserve(_ descriptor: CInt, _ range: Range<UInt64>) -> CInt {
        clinux_reserve(descriptor, off_t(range.lowerBound), off_t(range.count))
    }

    /// Where the first byte from `position` on stands that is in no hole; nil where there is none, or the file system
    /// does not tell.
    ///
    /// The corresponding C function is `lseek` with SEEK_DATA.
    package static func firstData(_ descriptor: CInt, from position: UInt64 = 0) -> UInt64? {
        guard let position = off_t(exactly: position) else { return nil }
        var found: off_t = 0
        guard unsafe clinux_first_data(descriptor, position, &found) == 0 else { return nil }
        return UInt64(found)
    }

    /// The length of the file; 0 where it cannot be examined.
    ///
    /// The corresponding C function is `fstat`.
    package static func length(_ descriptor: CInt) -> UInt64 {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return 0 }
        return UInt64(clamping: status.st_size)
    }
}
