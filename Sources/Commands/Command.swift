import Arguments
import Core
import Services

/// A vt command, with its spec and implementation.
package protocol Command: Sendable {
    static var spec: CommandSpec { get }

    /// The JSON documents that the command prints with `--json`; by default none.
    static var documents: [DocumentSpec] { get }

    /// Checks what the parser does not, such as options that need each other, without side effects; by default nothing.
    static func check(_ call: Call) throws(VTError)

    /// Returns the settings that the call gives for connections; by default those of `ConnectionOptions`.
    static func connection(_ call: Call) throws(VTError) -> HostSettings

    /// The signals that the command handles itself; by default none, so each signal has its default effect.
    static func signalHandling(of call: Call, on console: Console) throws(VTError) -> SignalHandling

    /// Whether the run ends as soon as the reader of standard output has exited, even if there is nothing to write;
    /// false by default.
    static func endsWithReader(_ call: Call) -> Bool

    /// Runs the command, and returns how the process exits.
    ///
    /// The runner drains the output in `Context.queues`, and then performs the steps given to `Context.atEnd`, after
    /// `run` has returned, failed or been canceled by a signal.
    static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit
}

extension Command {
    package static var documents: [DocumentSpec] { [] }

    package static func check(_ call: Call) throws(VTError) {}

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling { .none }

    package static func endsWithReader(_ call: Call) -> Bool { false }
}
