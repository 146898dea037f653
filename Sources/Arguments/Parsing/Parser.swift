import Core

/// Parses a command line into a request, without side effects.
///
/// The conventions are those of getopt_long(3): `--name value`, `--name=value`, `-p value`, `-pvalue`, grouped flags as
/// in `-qv`, and `--` to end the options. Long names cannot be abbreviated. A command that runs another command
/// accepts options before and after its operands, but not after the first word of the command to run.
package struct Parser: Sendable {
    private let tree: CommandTree

    package init(_ tree: CommandTree) {
        self.tree = tree
    }

    /// Parses the words after the program name; every failure has the code `usage`.
    package func parse(_ words: [ByteString]) -> ParseOutcome {
        var reader = LineReader(tree: tree, words: words[...])
        let request: Request
        var reportsJSON = false
        do throws(VTError) {
            request = try reader.request()
        } catch {
            request = .reject(error)
            reportsJSON = reader.jsonFollows
        }
        var globalOptions = reader.given.globalOptions
        globalOptions.json = globalOptions.json || reportsJSON
        return ParseOutcome(
            globalOptions: globalOptions,
            command: reader.command,
            passesStatusThrough: reader.passesStatusThrough,
            request: request
        )
    }
}
