import Core

extension LocalSessions {
    /// The selected turns of a session, oldest first.
    ///
    /// - Throws: `negative` when the program of the session does not report its commands.
    func turns(of name: String, _ filter: TurnFilter) throws(VTError) -> [Turn] {
        let session = try host.session(name)
        guard session.shell != nil else {
            throw VTError(.negative, "the program of '\(session.name)' is not a shell that reports its commands")
        }
        let log = try log(of: session)
        var list = TurnList(
            filter,
            isLive: session.state.isLive && session.state != .paused,
            firstOffset: try log.firstOffset(),
            now: .now()
        )
        try log.turnMarks { event in list.add(event) }
        return list.turns.reversed()
    }
}
