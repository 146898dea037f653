/// Receives the progress of a connection; steps are reported in the order of the cases.
package protocol ConnectionObserver: Sendable {
    func connection(_ name: String, reached step: ConnectionStep)
}
