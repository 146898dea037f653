/// Takes signals over from the system for a run.
package protocol SignalSource: Sendable {
    /// Takes over the signals that `handling` names; called before a run starts any thread.
    ///
    /// - Throws: `system`.
    func take(_ handling: SignalHandling) throws(VTError) -> Interruption
}
