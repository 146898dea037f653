import Core
import Services

/// Lists the sessions of several machines concurrently.
struct SessionSurvey: Sendable {
    /// Nil for this machine.
    let profiles: [String?]
    let filter: SessionFilter
    /// The timeout for each server.
    let timeout: Duration
    let context: Context

    /// The maximum number of machines to query at once; more would not be faster.
    static let parallel = 64

    /// Returns one listing per machine, in order.
    func listings() async -> [SessionListing] {
        let outcomes = await profiles.outcomes(limit: Self.parallel) { profile throws(VTError) in
            let filter = filter
            return try await SessionOperand.withClient(of: profile, in: context, timeout: timeout) {
                client throws(VTError) in try await client.sessions(filter)
            }
        }
        return zip(profiles, outcomes).map { SessionListing(profile: $0, sessions: $1) }
    }
}
