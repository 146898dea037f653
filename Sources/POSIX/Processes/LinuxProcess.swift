import CPTY
import Core

/// Linux settings for a long-lived, single-threaded process.
package enum LinuxProcess {
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

    /// Returns free memory to the system.
    package static func returnMemory() {
        clinux_return_memory()
    }
}
