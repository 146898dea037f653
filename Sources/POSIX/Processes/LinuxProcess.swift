import CPTY
import Core

/// What a long-lived process of one thread asks Linux for.
package enum LinuxProcess {
    /// Makes this process the parent of descendants whose own parents end, so that all of them can be found.
    ///
    /// Where that is not allowed they go to the init process, as always. The corresponding C function is `prctl`.
    package static func adoptOrphans() {
        _ = clinux_adopt_orphans()
    }

    /// Lets the allocator keep little for later; to be called before much is allocated.
    package static func spareMemory() {
        clinux_spare_memory()
    }

    /// Gives memory that is free back to the system.
    package static func returnMemory() {
        clinux_return_memory()
    }
}
