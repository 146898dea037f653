import Arguments
import Core
import Services

/// A command that freezes, pauses or resumes sessions, and prints them with `--json`.
package protocol SuspendingCommand: Command {
    static func suspension(_ call: Call) -> Suspension
}

extension SuspendingCommand {
    package static var documents: [DocumentSpec] {
        [.document([SessionDocument].self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let references = SessionOperand.references(call)
        let suspension = Self.suspension(call)
        let outcomes = await SessionOperand.forEach(references, in: context, parallel: Suspension.parallel) {
            client,
            reference throws(VTError) in
            try await client.call(suspension, on: reference.session)
        }
        var documents: [SessionDocument] = []
        var hasSurvivors = false
        for (reference, outcome) in zip(references, outcomes) {
            guard case .success(let (session, survivors)) = outcome else { continue }
            documents.append(SessionDocument(session, profile: reference.profile))
            hasSurvivors = hasSurvivors || !survivors.isEmpty
            suspension.report(survivors, of: reference.text, in: context)
        }
        if context.global.json { try context.output.json(documents) }
        try context.check(outcomes, named: references.map(\.text))
        return hasSurvivors ? .failure(.negative) : 0
    }
}

extension Suspension {
    /// The maximum number of sessions to change at once; more would slow all of them down.
    static let parallel = 16

    /// Reports processes that are still running.
    func report(_ survivors: [String], of name: String, in context: Context) {
        let verb = self == .freeze ? "stop" : "end"
        for survivor in survivors {
            context.diagnostics.failure("'\(name)': process \(survivor) did not \(verb)")
        }
    }
}
