/// The terminal of a run; a command can change its modes, which are restored when the run ends.
package protocol RunTerminal: Sendable {
    /// Sets up the terminal; from then on, it is restored even if the process crashes.
    ///
    /// With `raw`, sets the terminal of standard input to raw mode. `hasScreen` means that the command writes to a
    /// terminal on standard output.
    ///
    /// - Returns: Whether standard input is a terminal that is now in raw mode.
    func begin(raw: Bool, hasScreen: Bool) -> Bool

    /// Sets the bytes that restore the screen if the process crashes.
    func prepare(_ reset: [UInt8])

    /// Restores the modes, stops the process until it is continued, and sets raw mode again.
    func suspend()

    /// Whether the user can be asked: the process has a controlling terminal.
    var canAsk: Bool { get }

    /// Puts a question on the controlling terminal; returns the line that the user types, or nil if there is none.
    ///
    /// The terminal is restored afterward, also if the task is canceled or the process crashes.
    func ask(_ prompt: Prompt) async throws(VTError) -> [UInt8]?

    /// Restores the modes; does nothing if they were not changed.
    func end()
}
