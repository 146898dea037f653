import Core
import Glibc
import POSIX
import Recording
import Services

/// Records an existing session.
struct SessionRun {
    private let reference: SessionReference
    private let options: RecordOptions

    init(_ reference: SessionReference, _ options: RecordOptions) {
        self.reference = reference
        self.options = options
    }

    func run(in context: Context) async throws(VTError) -> UInt8 {
        try SessionOperand.check(reference, in: context)
        let interrupts = try Interrupts()
        let site = try context.services.sessions(on: reference.profile, context.diagnostics)
        // A local session is identified by its record, without its holder, which might not respond.
        let local = reference.profile == nil ? try context.services.sessionStore() : nil
        let (reference, options) = (reference, options)
        let (result, signal) = await interrupts.run { () async throws(VTError) in
            try await InputEnd.ending(when: options.endsWithInput) { () async throws(VTError) in
                let session =
                    if let local {
                        try local.session(reference.session)
                    } else {
                        try await site.session(reference.session)
                    }
                return try await Self.record(session, of: reference.profile, options, on: site)
            }
        }
        await site.close()
        if let signal { SignalThread.die(of: signal) }
        let written = try result.get()
        if written.hasLostReader { SignalThread.die(of: SIGPIPE) }
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
        var hasLostReader = false
    }

    private static func record(
        _ session: Session,
        of profile: String?,
        _ options: RecordOptions,
        on site: any SessionSite
    ) async throws(VTError) -> Written {
        var path: String?
        if case .file(let name) = options.destination {
            path = try name.text(RecordingName.Values(session, profile: profile))
        }
        let target = try RecordingTarget.open(path, options.existing, isGrowing: options.request.follows)
        do throws(VTError) {
            var request = options.request
            request.limitBytes = try target.limit(request.limitBytes)
            // `AppendedFile` parses the data written to it, which must be asciicast v3.
            if options.existing == .append { request.format = .v3 }
            try await site.record(session.id.text, request, to: target.sink)
            try await target.finish()
            return Written(session: session, path: path)
        } catch {
            await target.abandon(stays: options.request.follows)
            if target.hasLostReader { return Written(session: session, hasLostReader: true) }
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
