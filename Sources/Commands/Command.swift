import Arguments
import Core

/// A command of vt: its row in the table, and what it does.
package protocol Command: Sendable {
    static var spec: CommandSpec { get }

    /// Reads the words of a line that fits the spec, without any effect.
    init(_ arguments: ParsedArguments) throws(VTError)

    /// Acts, and returns the exit status.
    func run(in context: Context) async throws(VTError) -> UInt8
}
