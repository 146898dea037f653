import Arguments
import Core

/// A command of vt, with its spec and implementation.
package protocol Command: Sendable {
    static var spec: CommandSpec { get }

    /// Parses the arguments, which satisfy the spec, without side effects.
    init(_ arguments: ParsedArguments) throws(VTError)

    /// Runs the command, and returns the exit status.
    func run(in context: Context) async throws(VTError) -> UInt8
}
