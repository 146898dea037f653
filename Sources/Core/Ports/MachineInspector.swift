/// Examines this machine for what sessions need; changes nothing.
package protocol MachineInspector: Sendable {
    /// The findings in the order in which `vt doctor` prints them.
    func findings() async -> [Finding]
}
