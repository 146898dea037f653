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
    /// What the user selected; selecting it again selects the same job.
    package var target: Target
    package var place: Place
    package var request: ExecRequest

    package init(name: String, target: Target, place: Place, request: ExecRequest) {
        self.name = name
        self.target = target
        self.place = place
        self.request = request
    }
}
