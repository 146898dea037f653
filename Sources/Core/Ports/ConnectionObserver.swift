/// Receives the progress of a connection; the steps up to `authenticated` are reported in the order of the cases of
/// `ConnectionStep`.
package protocol ConnectionObserver: Sendable {
    func connection(_ name: String, reached step: ConnectionStep)
}
