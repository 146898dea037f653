import Arguments
import Core
import Services

/// Freezes, pauses or resumes several sessions, and prints them.
struct SuspensionRun {
    let references: [SessionReference]
    let suspension: Suspension

    /// The maximum number of sessions to change at once; more would slow all of them down.
    static let parallel = 16

    func run(in context: Context) async throws(VTError) -> ProcessExit {
        let suspension = suspension
        let outcomes = await SessionOperand.forEach(references, in: context, parallel: Self.parallel) {
            client,
            reference throws(VTError) in
            try await client.suspend(reference.session, suspension)
        }
        var documents: [SessionDocument] = []
        var hasSurvivors = false
        for (reference, outcome) in zip(references, outcomes) {
            guard case .success(let (session, survivors)) = outcome else { continue }
            documents.append(SessionDocument(session, profile: reference.profile))
            hasSurvivors = hasSurvivors || !survivors.isEmpty
            Self.report(survivors, of: reference.text, suspension, in: context)
        }
        if context.global.json { try context.output.json(documents) }
        try context.check(outcomes, named: references.map(\.text))
        return hasSurvivors ? .failure(.negative) : 0
    }

    /// Reports processes that are still running.
    static func report(_ survivors: [String], of name: String, _ suspension: Suspension, in context: Context) {
        let verb = suspension == .freeze ? "stop" : "end"
        for survivor in survivors {
            context.diagnostics.failure("'\(name)': process \(survivor) did not \(verb)")
        }
    }
}
