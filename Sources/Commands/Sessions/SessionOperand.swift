import Arguments
import Core
import Runtime
import Services

/// The operands for sessions; runs commands on the machines of sessions.
enum SessionOperand {
    /// The sentence about SESSION in the description of each command that takes this operand.
    static let explanation = "SESSION is a name, ID or TARGET:NAME; see 'vt help targets'."

    static let session = Operand("SESSION", completion: .session, parse: SessionReference.init(parsing:))
    static let optionalSession = session.optional()
    static let sessions = session.list(.oneOrMore)
    static let anySessions = session.list(.zeroOrMore)

    /// Returns the sessions of an operand, without duplicates.
    static func references(_ call: Call, _ operand: Operand<[SessionReference]> = sessions) -> [SessionReference] {
        var references: [SessionReference] = []
        for reference in call[operand] where !references.contains(reference) { references.append(reference) }
        return references
    }

    /// Rejects `USER@HOST:PORT`, which does not include a session name but would be parsed as a session named PORT.
    ///
    /// - Throws: `usage`, unless HOST is a profile, which cannot be followed by a port.
    static func check(_ reference: SessionReference, in context: Context) throws(VTError) {
        guard let server = reference.profile, let at = server.lastIndex(of: "@"), !server.contains(":"),
            Destination.parsePort(reference.session) != nil,
            try context.world.profiles().load()[String(server[server.index(after: at)...])] == nil
        else { return }
        throw VTError(
            .usage,
            "'\(reference.text)' does not include a session name",
            hint: "use \(reference.text):SESSION, or \(server):22:\(reference.session) for a session named "
                + "'\(reference.session)'"
        )
    }

    /// Runs `body` on the machine of a session, and then closes the connection.
    static func withClient<Result: Sendable>(
        of reference: SessionReference,
        in context: Context,
        _ body: (SessionClient) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        try check(reference, in: context)
        if reference.profile == nil { try context.checkConnection() }
        return try await withClient(of: reference.profile, in: context, body)
    }

    /// Runs `body` on this machine or on a server, and then closes the connection.
    static func withClient<Result: Sendable>(
        of profile: String?,
        in context: Context,
        _ body: (SessionClient) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let client = try context.sessionClient(on: profile)
        return try await withCleanup(client.close) { () async throws(VTError) in try await body(client) }
    }

    /// Runs `body` for several sessions, at most `parallel` at a time; returns one outcome for each, in order.
    ///
    /// With `untilSuccess`, the others are canceled when `body` has succeeded for one session.
    static func forEach<Result: Sendable>(
        _ references: [SessionReference],
        in context: Context,
        parallel: Int = .max,
        untilSuccess: Bool = false,
        _ body: @escaping @Sendable (SessionClient, SessionReference) async throws(VTError) -> Result
    ) async -> [Swift.Result<Result, VTError>] {
        await references.outcomes(limit: parallel, untilSuccess: untilSuccess) { reference throws(VTError) in
            try await withClient(of: reference, in: context) { client throws(VTError) in
                try await body(client, reference)
            }
        }
    }

    /// Runs `body` on this machine or, with a timeout, on a server, and then closes the connection.
    static func withClient<Result: Sendable>(
        of profile: String?,
        in context: Context,
        timeout: Duration,
        _ body: @escaping @Sendable (SessionClient) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        guard let profile else { return try await withClient(of: nil, in: context, body) }
        let late = VTError(.timedOut, "'\(profile)' did not answer within \(timeout.shortText)")
        let clock = context.world.clock
        return try await withTimeout(timeout, on: clock, throwing: late) { () async throws(VTError) in
            try await withClient(of: profile, in: context, body)
        }
    }
}
