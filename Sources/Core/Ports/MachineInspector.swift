/// Checks whether this machine meets the requirements of sessions, without changing anything.
package protocol MachineInspector: Sendable {
    /// Returns the findings in the order of `vt doctor`.
    func findings() async -> [Finding]
}
