/// A process, identified so that a reused PID is not mistaken for it.
package struct SessionProcess: Hashable, Sendable {
    package var processID: Int32
    /// The start time in clock ticks since boot: field 22 of `/proc/PID/stat` (proc(5)).
    package var startTicks: UInt64

    package init(processID: Int32, startTicks: UInt64) {
        self.processID = processID
        self.startTicks = startTicks
    }
}
