import Core

/// Returns the session, and whether it is new: with `IfExists.ok`, it may be an existing one.
///
/// Errors: `exists`; `negative` when the session must survive a logout but might not; errors that prevent the program from
/// starting.
extension SessionCreation: SessionVerb {
    package var callName: String { "create" }

    package static let arguments: JSONTable<Self> = [
        .member("name", \.name),
        .member("cwd", \.directory),
        .member("size", \.size, usual: .standard),
        .member("term", \.terminalType),
        .member("tags", \.tags, usual: []),
        .member("log_max", \.logLimitBytes, usual: Session.defaultLogLimitBytes),
        .member("log_input", \.logsInput, usual: false),
        .member("shell_integration", \.integratesShell, usual: true),
        .member("keep_for_ms", \.keepFor),
        .member("if_exists", \.ifExists, usual: .fail),
        .member("require_survive", \.mustSurvive, usual: false),
        .member("auto_snapshots", \.automaticSnapshots),
        .member(wordCount, get: { $0.command.isEmpty ? nil : $0.command.count }, set: { _, _ in }),
    ]

    /// The number of words in the data that are the command.
    private static let wordCount = "words"

    /// The words of the command, and then `NAME=VALUE` for each variable, each terminated by NUL.
    package var data: [UInt8] {
        command.flatMap { $0.bytes + [0] } + variables.flatMap { Array("\($0.name)=\($0.value)\0".utf8) }
    }

    package mutating func complete(_ data: [UInt8], _ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        let count: Int = try json.optional(Self.wordCount, in: document) ?? 0
        let words = data.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        let invalid = JSONValueError(line: 1, path: Self.wordCount)
        guard (0...words.count).contains(count), data.last ?? 0 == 0 else { throw invalid }
        command = words.prefix(count).map { ByteString($0) }
        variables = try words.dropFirst(count).map { word throws(JSONValueError) in
            guard let variable = try? EnvironmentVariable(String(decoding: word, as: UTF8.self)) else { throw invalid }
            return variable
        }
    }

    package var concernsSession: Bool { false }
    package var role: PageRole { .owner }
    package var isShort: Bool { false }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        let (session, isNew) = try await sessions.create(self)
        try await answer.send(session, isNew: isNew)
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> (session: Session, isNew: Bool) {
        let isExisting: Bool? = try result.member("is_existing")
        return (try result.session(), !(isExisting ?? false))
    }
}

extension CallAnswer {
    /// Sends the result of the creation of a session.
    func send(_ session: Session, isNew: Bool) async throws(VTError) {
        try await send([session])
        try await send("is_existing", isNew ? nil : true)
    }
}
