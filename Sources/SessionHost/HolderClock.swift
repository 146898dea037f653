import Glibc

/// Clocks with microsecond resolution.
enum HolderClock {
    /// Microseconds since boot, including time spent suspended (clock_gettime(2)).
    static func now() -> Int64 {
        read(CLOCK_BOOTTIME)
    }

    /// Microseconds since 1970.
    static func wall() -> Int64 {
        read(CLOCK_REALTIME)
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
