import Core
import Glibc

extension FileTimes {
    /// The argument of utimensat(2).
    package var values: [timespec] {
        [timespec(tv_sec: Int(accessed), tv_nsec: 0), timespec(tv_sec: Int(modified), tv_nsec: modifiedNanoseconds)]
    }
}

extension FileAttributes {
    /// The attributes in the result of stat(2).
    package init(_ status: stat) {
        self.init(
            kind: Kind(mode: status.st_mode),
            sizeBytes: UInt64(clamping: status.st_size),
            mode: UInt16(status.st_mode & 0o7777),
            times: FileTimes(
                accessed: Int64(status.st_atim.tv_sec),
                modified: Int64(status.st_mtim.tv_sec),
                modifiedNanoseconds: status.st_mtim.tv_nsec
            ),
            owner: FileOwner(userID: status.st_uid, groupID: status.st_gid),
            version: FileVersion(status).hash
        )
    }
}
