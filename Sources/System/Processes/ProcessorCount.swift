import Glibc

/// The number of processor cores in use by this machine (sysconf(3), `_SC_NPROCESSORS_ONLN`), at least 1.
package var processorCount: Int {
    max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
}
