import Arguments
import Core
import Services

/// A vt command, with its spec and implementation.
package protocol Command: Sendable {
    static var spec: CommandSpec { get }

    /// The JSON documents that the command prints with `--json`; by default none.
    static var documents: [DocumentSpec] { get }

    /// Parses the arguments, which satisfy the spec, without side effects.
    init(_ arguments: ParsedArguments) throws(VTError)

    /// Returns the settings that the arguments give for connections; by default those of `ConnectionOptions`.
    static func connection(_ arguments: ParsedArguments) throws(VTError) -> PlanOptions

    /// The signals that the command handles itself; by default none, so each signal has its default effect.
    func signalHandling(on console: Console) -> SignalHandling

    /// Whether the run ends as soon as the reader of standard output has exited, even if there is nothing to write;
    /// false by default.
    var endsWithReader: Bool { get }

    /// Runs the command, and returns how the process exits.
    ///
    /// The runner drains the output in `Context.queues`, and then performs the steps given to `Context.atEnd`, after
    /// `run` has returned, failed or been canceled by a signal.
    func run(in context: Context) async throws(VTError) -> ProcessExit
}

extension Command {
    package static var documents: [DocumentSpec] {
        []
    }

    package func signalHandling(on console: Console) -> SignalHandling { .none }

    package var endsWithReader: Bool { false }
}
