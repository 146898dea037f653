/// Hears how far a connection has come; called in the order of the cases.
package protocol ConnectionObserver: Sendable {
    func connection(_ name: String, reached step: ConnectionStep)
}
