import Arguments
import Core
import Services

/// The sessions of one machine, or the error that prevented listing them.
struct SessionListing: Sendable {
    /// Nil for this machine.
    let profile: String?
    let sessions: Result<[Session], VTError>

    /// The maximum number of machines to query at once; more would not be faster.
    static let parallel = 64

    /// Lists the sessions of several machines, of which nil is this one; returns one listing for each, in order.
    ///
    /// The timeout is that of each server.
    static func listings(
        on profiles: [String?],
        _ filter: SessionFilter,
        timeout: Duration,
        in context: Context
    ) async -> [SessionListing] {
        let context = context.groupingNotes(of: profiles.compactMap(\.self))
        let outcomes = await profiles.outcomes(limit: parallel) { profile throws(VTError) in
            try await SessionOperand.withClient(of: profile, in: context, timeout: timeout) { client throws(VTError) in
                try await client.call(ListRequest(filter))
            }
        }
        return zip(profiles, outcomes).map { SessionListing(profile: $0, sessions: $1) }
    }

    /// Prints the rows of all listings.
    ///
    /// If `isWatched` is true, JSON is printed on one line, and text on a terminal replaces the previous listings.
    /// Failures that are not among the rows, because they have no name or do not match, are reported on standard error.
    static func show(
        _ listings: [SessionListing],
        _ list: ListOptions<Document>,
        isWatched: Bool,
        in context: Context
    ) throws(VTError) {
        let all = listings.flatMap(\.documents)
        let rows = try list.selected(all)
        let shown = list.namesOnly ? [] : Set(rows.compactMap(\.failure?.profile))
        let failures = all.compactMap(\.failure).filter { !shown.contains($0.profile) }.map { failure in
            TargetFailures.Failure(failure.profile, failure.error.error)
        }
        TargetFailures(failures).report(on: context.diagnostics)
        if context.global.json {
            if isWatched { try context.output.jsonLine(rows) } else { try context.output.json(rows) }
            return
        }
        let isRemote = listings.contains { $0.profile != nil }
        let text = try list.text(of: rows, in: context.output.style, name: \.name) { table($0, isRemote: isRemote) }
        // Move the cursor home, and erase the screen (ECMA-48, CUP and ED).
        let isRedrawn = isWatched && context.output.style.columns != nil
        try context.output.text((isRedrawn ? "\u{1b}[H\u{1b}[2J" : "") + text)
    }

    private static func table(_ rows: [Document], isRemote: Bool) -> TextTable {
        let now = Timestamp.now()
        var table = TextTable(
            (isRemote ? ["PROFILE"] : []) + ["NAME", "STATE", "AGE", "SIZE", "OUTPUT", "TAGS", "COMMAND"]
        )
        for row in rows {
            switch row {
            case .session(let document):
                let machine = isRemote ? [document.profile ?? ProfileName.local] : []
                table.add(machine + cells(document.session, now: now))
            case .failure(let machine):
                let error = machine.error.error
                let name = isRemote ? [machine.profile] : []
                table.add(name + ["-", error.code.rawValue, "-", "-", "-", "-", error.message])
            }
        }
        return table
    }

    private static func cells(_ session: Session, now: Timestamp) -> [String] {
        [
            session.name, SessionText.state(session), SessionText.age(of: session.createdAt, now: now),
            SessionText.size(session), session.vibeTunnel == nil ? SessionText.bytes(session.outputBytes) : "-",
            session.tags.isEmpty ? "-" : session.tags.joined(separator: ","),
            session.openQuestion?.message ?? SessionText.command(session),
        ]
    }

    private var documents: [Document] {
        switch sessions {
        case .success(let sessions): sessions.map { .session(SessionDocument($0, profile: profile)) }
        case .failure(let error):
            [
                .failure(
                    UnlistedMachine(
                        profile: profile ?? ProfileName.local,
                        error: FailureDocument(error, exit: error.code.status)
                    )
                )
            ]
        }
    }

    /// An element of the array printed with `--json`.
    enum Document: JSONValue {
        case session(SessionDocument)
        case failure(UnlistedMachine)

        static var jsonType: JSONType {
            .either([SessionDocument.jsonType, UnlistedMachine.jsonType])
        }

        func write(to writer: inout JSONWriter) {
            switch self {
            case .session(let document): document.write(to: &writer)
            case .failure(let document): document.write(to: &writer)
            }
        }

        var failure: UnlistedMachine? {
            if case .failure(let machine) = self { machine } else { nil }
        }

        /// The name of a session as commands accept it: `build` or `web:build`.
        var name: String? {
            guard case .session(let document) = self else { return nil }
            return (document.profile.map { "\($0):" } ?? "") + document.session.name
        }
    }

    /// A machine whose sessions could not be listed.
    struct UnlistedMachine {
        let profile: String
        let error: FailureDocument
    }
}

extension SessionListing.UnlistedMachine: JSONDocument {
    static let documentName = "unlisted machine"
    static let documentSummary = "a machine whose sessions could not be listed"

    static let fields: JSONTable<Self> = [
        .field("profile", \.profile, "server; `local` for this machine"),
        .field("error", \.error, "why the sessions could not be listed"),
    ]
}
