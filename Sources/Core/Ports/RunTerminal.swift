/// The terminal of a run, whose modes a command may change until the run ends.
package protocol RunTerminal: Sendable {
    /// Changes the terminal; from here on it is restored even if the process ends by a fault.
    ///
    /// With `raw`, sets the terminal of standard input to raw mode. With `hasScreen`, standard output is a terminal that
    /// is written to.
    ///
    /// - Returns: Whether standard input is a terminal, now in raw mode.
    func begin(raw: Bool, hasScreen: Bool) -> Bool

    /// Sets the bytes that restore the screen if the process ends by a fault.
    func prepare(_ reset: [UInt8])

    /// Restores the modes, stops the process until it is continued, and sets raw mode again.
    func suspend()

    /// Restores the modes; nothing happens if they were not changed.
    func end()
}
