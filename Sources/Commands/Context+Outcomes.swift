import Arguments
import Core
import Runtime
import Services

extension Context {
    /// Throws the last of several errors, after reporting the others, so that they are reported in order.
    func check<Value>(_ outcomes: [Result<Value, VTError>], named names: [String]) throws(VTError) {
        var last: VTError?
        for (name, outcome) in zip(names, outcomes) {
            guard case .failure(let error) = outcome else { continue }
            if let last { report(last, status: passesStatusThrough ? last.code.passThroughStatus : last.code.status) }
            last = names.count > 1 && !name.isEmpty ? error.naming(name) : error
        }
        if let last { throw last }
    }

    /// Throws the last of several errors, after reporting the others.
    func check(_ failures: [VTError]) throws(VTError) {
        try check(failures.map { Result<Void, VTError>.failure($0) }, named: failures.map { _ in "" })
    }

    /// Prints what a command has done on each server, and reports the failures; returns how the process exits.
    ///
    /// - Throws: The failure, if there is only one server.
    func show<Document: JSONDocument>(
        _ outcomes: [Result<Document, VTError>],
        of servers: [String],
        text: (Document) -> String
    ) throws(VTError) -> ProcessExit {
        let done = zip(servers, outcomes).filter { $1.failure == nil }.map(\.0)
        try profileService().recordConnections(to: done, diagnostics: diagnostics)
        guard outcomes.count > 1 else {
            for outcome in outcomes {
                let document = try outcome.get()
                try show(document) { text(document) }
            }
            return 0
        }
        try show(zip(servers, outcomes).map { ServerResult($1, of: $0) }) {
            outcomes.compactMap { try? $0.get() }.map(text).joined(separator: "\n")
        }
        let failures = zip(servers, outcomes).compactMap { name, outcome in outcome.failure.map { (name, $0) } }
        diagnostics.report(failures, of: servers.count)
        return failures.isEmpty ? 0 : .failure(.negative)
    }

    /// Returns a context whose notes are grouped at the end of the run if there are many targets.
    func groupingNotes(of targets: [String]) -> Context {
        guard targets.count > TargetFailures.separateLimit, global.verbosity == 0 else { return self }
        let notes = GroupedNotes(diagnostics, targets: targets)
        atEnd { notes.finish() }
        return reporting(to: notes)
    }

    /// Performs `body`, and shows the progress line, if there is one, again after output for which it was erased.
    func refreshingProgress<Result: Sendable>(
        if showsProgress: Bool,
        _ body: () async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        guard showsProgress else { return try await body() }
        let (line, clock) = (console.progressLine, world.clock)
        let refreshing = Task.onCurrentExecutor {
            while !Task.isCancelled {
                // The pause fails only if the task is canceled.
                try? await clock.pause(for: ProgressLine.refreshInterval)
                if !Task.isCancelled { line.refresh() }
            }
        }
        defer { refreshing.cancel() }
        return try await body()
    }

    /// Prints the notes that are grouped, before what is to be the end of the output.
    func finishNotes() {
        (diagnostics as? GroupedNotes)?.finish()
    }

    /// Reports an error, and returns its exit status, even if the command passes the status of a program through.
    func fail(_ error: VTError) -> ProcessExit {
        report(error, status: error.code.status)
        return .status(error.code.status)
    }

    /// Reports an error on standard error, with `--json` as a document; the run continues.
    private func report(_ error: VTError, status: UInt8) {
        guard global.json else { return diagnostics.failure(error.message) }
        let text = ErrorReport(error, status: status).text(global)
        // A failure to write to standard error cannot be reported.
        try? console.errorOutput.write(Array(text.utf8))
    }
}

extension VTError {
    /// The error with the name of what it is about, unless the message already contains it.
    ///
    /// The error of a session on a server contains the names of the server and of the session.
    fileprivate func naming(_ name: String) -> VTError {
        let session = name.split(separator: ":", maxSplits: 1).last ?? ""
        guard !message.contains("'\(name)'"), !message.contains("'\(session)'") else { return self }
        var named = self
        named.message = "\(name): \(message)"
        return named
    }
}
