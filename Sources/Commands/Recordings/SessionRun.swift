import Core
import Recording
import Services

/// Records an existing session.
struct SessionRun {
    let reference: SessionReference
    let options: RecordOptions

    func run(in context: Context) async throws(VTError) -> ProcessExit {
        try SessionOperand.check(reference, in: context)
        let client = try context.sessionClient(on: reference.profile)
        context.atEnd { await client.close() }
        // The record of a local session is read from its file, because its holder might not respond.
        let local = reference.profile == nil ? try context.world.sessions() : nil
        let session =
            if let local {
                try local.session(reference.session)
            } else {
                try await client.session(reference.session)
            }
        let written = try await record(session, on: client, in: context)
        guard let path = written.path else { return 0 }
        try context.show(RecordDocument(written.session, profile: reference.profile, options, path: path)) {
            path.sanitized
        }
        return 0
    }

    private struct Written: Sendable {
        var session: Session
        /// Nil for standard output.
        var path: String?
    }

    private func record(
        _ session: Session,
        on client: SessionClient,
        in context: Context
    ) async throws(VTError) -> Written {
        var request = options.request
        if let turn = options.turn {
            let number = Int64(clamping: try await client.turn(turn, of: session.id.text).number)
            (request.start, request.end) = (.turn(number), .turnEnd(number))
        }
        var path: String?
        if case .file(let name) = options.destination {
            path = try name.text(RecordingName.Values(session, profile: reference.profile))
        }
        let target = try RecordingTarget.open(
            path,
            options.existing,
            isGrowing: options.request.follows,
            standardOutput: context.queues
        )
        do throws(VTError) {
            request.limitBytes = try target.limit(request.limitBytes)
            // `AppendedFile` parses the data written to it, which must be asciicast v3.
            if options.existing == .append { request.format = .v3 }
            try await client.call(request, on: session.id.text, sink: target.sink)
            try await target.finish()
            return Written(session: session, path: path)
        } catch {
            await target.abandon(keepingWritten: options.request.follows)
            throw error
        }
    }
}

extension RecordingName.Values {
    init(_ session: Session, profile: String?) {
        self.init(
            profile: profile,
            session: session.name,
            id: session.id.text,
            start: session.startedAt ?? session.createdAt
        )
    }
}
