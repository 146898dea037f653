import Arguments
import Core
import Services
import System

/// A run of `vt copy`.
struct CopyRun: Sendable {
    /// The default maximum number of targets to copy to or from at once.
    static let parallel = 16

    /// The paths of the files to copy, at least one.
    let sources: [ByteString]
    let from: CopySide
    let destination: ByteString
    let to: CopySide
    let options: CopyOptions
    let parallel: Int
    /// The number of connections to each server for large copies; nil for the default.
    let connections: Int?

    /// The number of further connections that use the cores of this machine.
    ///
    /// A connection uses two cores: while one encrypts or decrypts, the other reads or writes the file.
    private var defaultConnections: Int {
        switch (from, to) {
        case (.targets, _), (_, .targets): 0
        case (.stream, _), (.machine, _): processorCount < 4 ? 0 : min(processorCount / 2, Self.connectionLimit)
        }
    }

    /// The maximum of the default; servers limit the number of connections, too (MaxStartups of sshd_config(5)).
    private static let connectionLimit = 4

    /// Copies the files, and returns the exit status.
    func perform(in context: Context) async throws(VTError) -> UInt8 {
        LinuxProcess.keepLargeBuffers()
        let targets = try await targets(in: context)
        let context = context.groupingNotes(of: targets.map(\.name))
        let service = FileService(context.world)
        context.atEnd { await service.close() }
        if case .stream = from { try context.console.input.checkIsReadable() }
        let report = CopyReport(context)
        let job = CopyJob(
            sources,
            to: destination,
            options,
            connections: connections ?? defaultConnections,
            service: service,
            clock: context.world.clock
        )
        switch (from, to) {
        case (.machine(let source), .stream):
            try await job.write(from: try source.place(in: context), to: context.queues.output())
            return 0
        case (.stream, .machine(let place)):
            try await job.copy(
                context.console.input.source(),
                to: try place.place(in: context),
                observer: report
            )
        case (.machine(let source), .machine(let place)):
            if source.target == nil, place.target == nil { try context.checkConnection() }
            let (source, place) = (try source.place(in: context), try place.place(in: context))
            try await job.copy(from: source, to: place, observer: report)
        case (.targets, .machine(let place)):
            let place = try place.place(in: context)
            return try await forEach(of: targets, report, in: context) { target, observer throws(VTError) in
                let name = ByteString(target.name.targetFileName)
                try await job.copy(from: target.place, to: place, directory: name, observer: observer)
            }
        case (.machine(let source), .targets):
            let source = try source.place(in: context)
            return try await forEach(of: targets, report, in: context) { target, observer throws(VTError) in
                try await job.copy(from: source, to: target.place, observer: observer)
            }
        case (.stream, .targets):
            return try await job.spooling(context.console.input.source(), for: targets.count) {
                input throws(VTError) in
                try await forEach(of: targets, report, in: context) { target, observer throws(VTError) in
                    try await job.copy(input(), to: target.place, observer: observer)
                }
            }
        case (.targets, _), (.stream, .stream):
            // Such a command line has already been rejected.
            throw VTError(.internal, "cannot copy between these machines")
        }
        return try report.finish()
    }

    /// The selected targets; empty if both sides are single machines.
    private func targets(in context: Context) async throws(VTError) -> [ResolvedTarget] {
        switch (from, to) {
        case (.targets(let targets), _), (_, .targets(let targets)):
            return ResolvedTarget.limitMuxServers(try await targets.resolved(in: context))
        default: return []
        }
    }

    /// Copies to or from each target, and returns the exit status.
    private func forEach(
        of targets: [ResolvedTarget],
        _ report: CopyReport,
        in context: Context,
        copy: @escaping @Sendable (ResolvedTarget, CopyReport) async throws(VTError) -> Void
    ) async throws(VTError) -> UInt8 {
        let parts = Array(zip(targets, report.parts(for: targets.map(\.name))))
        let outcomes = await parts.outcomes(limit: parallel) { target, part throws(VTError) in
            do throws(VTError) {
                try await copy(target, part)
            } catch {
                if !error.isCancellation { part.failed(error) }
                throw error
            }
        }
        if Task.isCancelled { throw .cancelled }
        let failures = TargetFailures(
            zip(targets, outcomes).compactMap { target, outcome in outcome.failure.map { (target.name, $0) } }
        )
        if !context.global.json { failures.report(on: context.diagnostics) }
        let status = try report.finish()
        guard !failures.failures.isEmpty else { return status }
        context.diagnostics.failure(
            "\(failures.failures.count) of \(targets.count) targets failed\(failures.totals)"
        )
        return VTError.Code.negative.status
    }
}

extension ResolvedTarget {
    fileprivate var place: FileService.Place {
        plan.map { .remote($0) } ?? .local
    }
}
