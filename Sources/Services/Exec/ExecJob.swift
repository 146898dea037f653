import Core

/// A program to run on one target.
package struct ExecJob: Sendable {
    /// Where the job runs.
    package enum Place: Sendable {
        case local
        case remote(ConnectionPlan)
    }

    /// The target's name in output and messages.
    package var name: String
    package var place: Place
    package var request: ExecRequest

    package init(name: String, place: Place, request: ExecRequest) {
        self.name = name
        self.place = place
        self.request = request
    }
}
