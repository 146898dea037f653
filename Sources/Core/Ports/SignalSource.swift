/// Installs the signal handling of a run.
package protocol SignalSource: Sendable {
    /// Starts handling the signals selected by `handling`; must be called before the run starts any thread.
    ///
    /// - Throws: `system`.
    func take(_ handling: SignalHandling) throws(VTError) -> Interruption
}
