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
    private static let parallel = 64

    /// Returns one listing per machine, in order.
    func listings() async -> [SessionListing] {
        await withTaskGroup(of: (Int, SessionListing).self) { group in
            var listings = [SessionListing?](repeating: nil, count: profiles.count)
            var rest = Array(profiles.enumerated())[...]
            for (index, profile) in rest.prefix(Self.parallel) {
                group.addTask { (index, await listing(of: profile)) }
            }
            rest = rest.dropFirst(Self.parallel)
            for await (index, listing) in group {
                listings[index] = listing
                guard let (next, profile) = rest.popFirst() else { continue }
                group.addTask { (next, await self.listing(of: profile)) }
            }
            return listings.compactMap(\.self)
        }
    }

    private func listing(of profile: String?) async -> SessionListing {
        do throws(VTError) {
            let filter = filter
            let sessions = try await SessionOperand.withSite(of: profile, in: context, timeout: timeout) {
                site throws(VTError) in try await site.sessions(filter)
            }
            return SessionListing(profile: profile, sessions: .success(sessions))
        } catch {
            return SessionListing(profile: profile, sessions: .failure(error))
        }
    }
}
