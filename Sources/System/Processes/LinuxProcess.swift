import CLinux
import Core
import Glibc

/// The user and machine of this process, and Linux settings for this process.
package enum LinuxProcess {
    /// The host name; the corresponding C function is `gethostname`.
    package static let hostName: String = {
        var name = [CChar](repeating: 0, count: 256)
        let count = name.count - 1
        guard unsafe gethostname(&name, count) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }()

    /// The real user ID; the corresponding C function is `getuid`.
    package static var userID: UInt32 { getuid() }

    package static var processID: Int32 { getpid() }

    /// Makes this process the subreaper of its descendants, so that orphans can still be found.
    ///
    /// If that is not permitted, the init process adopts orphans as usual. The corresponding C function is `prctl`.
    package static func adoptOrphans() {
        _ = clinux_adopt_orphans()
    }

    /// Limits the memory that the allocator keeps in reserve; call this before allocating a lot of memory.
    package static func limitAllocator() {
        clinux_spare_memory()
    }

    /// Makes the allocator keep large buffers for reuse, instead of having the kernel map, clear and unmap each of them.
    ///
    /// Buffers are kept up to 32 MiB each and 64 MiB together.
    package static func keepLargeBuffers() {
        clinux_keep_memory(32 << 20, 64 << 20)
    }

    /// Like `keepLargeBuffers`, but for the buffers of streams: up to 1 MiB together.
    package static func keepStreamBuffers() {
        clinux_keep_memory(1 << 20, 1 << 20)
    }

    /// Returns free memory to the system.
    package static func returnMemory() {
        clinux_return_memory()
    }
}
