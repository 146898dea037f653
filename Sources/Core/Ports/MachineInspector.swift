/// Checks whether this machine meets the requirements for sessions, without changing anything.
package protocol MachineInspector: Sendable {
    /// Returns the findings in the order in which `vt doctor` prints them.
    func findings() async -> [Finding]
}
