import Arguments
import Core
import Runtime
import Services
import Synchronization

/// Compares states of a work tree: `vt diff SESSION [SNAPSHOT[..SNAPSHOT]]`.
package enum DiffCommand: Command {
    private static let range = SnapshotOptions.snapshot.optional()
    private static let turn = Option(
        "turn",
        .turn,
        summary: "show what the command with this number changed; -1 is the last one",
        details: "Requires a session created with --auto-snapshot, and a command that vt has started."
    )
    private static let stat = Option.flag(
        "stat",
        excludes: [nameStatus, GlobalOptions.json],
        summary: "print the number of changed lines"
    )
    private static let nameStatus = Option.flag(
        "name-status",
        excludes: [GlobalOptions.json],
        summary: "print only the names of the files, and how they differ"
    )
    private static let exitCode = Option.flag("exit-code", summary: "exit with 1 if there are differences")

    package static let spec = CommandSpec(
        ["diff"],
        summary: "show how a session's work tree has changed since a snapshot",
        description: [
            "Compares SNAPSHOT with the current files of a session's work tree or, as A..B, two snapshots, and prints "
                + "the differences as 'git diff' does, including those of new files.",
            SessionOperand.explanation,
            "Without SNAPSHOT, the older state is the first snapshot of a session created with --auto-snapshot, "
                + "otherwise the oldest snapshot. PATH is a file or directory, relative to the top of the tree.",
        ],
        operands: [SessionOperand.session, range, OperandSpec("PATH", .optionalCommandWords)],
        options: [turn, stat, nameStatus, exitCode] + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt diff dev", "show what has changed since the first snapshot"),
            ExampleSpec("vt diff dev before-upgrade --stat", "summarize the changes since a snapshot"),
            ExampleSpec("vt diff dev --turn -1 -- src", "show what the last command changed in a directory"),
        ],
        exitCodes: SnapshotOptions.exitCodes
    )

    package static var documents: [DocumentSpec] { [.document([FileChange].self)] }

    package static func check(_ call: Call) throws(VTError) {
        _ = try request(call)
    }

    private static func request(_ call: Call) throws(VTError) -> DiffRequest {
        var request = DiffRequest()
        request.turn = call[turn]
        if let range = call[Self.range] {
            guard request.turn == nil else { throw VTError(.usage, "--turn cannot be combined with a snapshot") }
            let parts = range.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
            guard parts.count <= 2, !parts.contains("") else { throw VTError(.usage, "invalid range '\(range)'") }
            request.from = parts[0]
            request.to = parts.count == 2 ? parts[1] : nil
        }
        request.format = call[stat] ? .stat : call[nameStatus] ? .nameStatus : .patch
        request.paths = call.commandWords.map(\.withoutTrailingSlashes)
        return request
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling { .cancel }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let reference = call[SessionOperand.session]
        var request = try Self.request(call)
        request.usesColor = context.output.style.isColored
        if context.global.json { request.format = .files }
        let changes = Mutex<[UInt8]>([])
        let output: any ByteSink =
            context.global.json
            ? CallbackSink { bytes in changes.withLock { $0 += bytes } } : context.queues.output()
        let differs = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.call(request, on: reference.session, sink: output)
        }
        if context.global.json { try context.output.json(try Self.changes(changes.withLock { $0 })) }
        return call[exitCode] && differs ? .failure(.negative) : 0
    }

    private static func changes(_ lines: [UInt8]) throws(VTError) -> [FileChange] {
        var changes: [FileChange] = []
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            let json = Array(line)
            guard let outline = try? JSONOutlineParser.parse(json), let change = try? FileChange(outline, in: json)
            else {
                throw VTError(.protocolViolation, "the list of changes is malformed")
            }
            changes.append(change)
        }
        return changes
    }
}
