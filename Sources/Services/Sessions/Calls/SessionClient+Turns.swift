import Core

extension SessionClient {
    /// Returns the selected turns of the session's shell, oldest first.
    ///
    /// - Throws: `negative` when the program of the session does not report its commands.
    package func turns(of name: String, _ filter: TurnFilter) async throws(VTError) -> [Turn] {
        try records(in: try await result(of: .session(name, .turns(filter))))
    }

    /// Returns the turn with this number; a negative number counts from the last turn, which is -1.
    ///
    /// - Throws: `not-found` when there is no such turn.
    package func turn(_ number: Int64, of name: String) async throws(VTError) -> Turn {
        if let turn = try await turns(of: name, TurnFilter(number: number)).first { return turn }
        let last = try await turns(of: name, TurnFilter(number: -1)).first?.number
        let rest = last.map { "; the last one is \($0)" } ?? ""
        throw VTError(
            .notFound,
            "'\(name)' has no turn \(number)\(rest)",
            hint: "to list the turns, use 'vt sessions history \(machine.name(of: name))'"
        )
    }
}
