import Glibc

extension FileDescriptor {
    /// The number of descriptors that this process can still open; 0 if it is unknown.
    ///
    /// The sources are `getrlimit` with RLIMIT_NOFILE, and the directory `/proc/self/fd` (proc(5)).
    package static var remaining: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            let open = try? DirectoryListing.names(in: "/proc/self/fd"), !open.isEmpty
        else { return 0 }
        return max(0, Int(clamping: limit.rlim_cur) - open.count)
    }
}
