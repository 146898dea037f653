import Core

/// Turns the words of a command line into a request, without any effect.
///
/// The conventions are those of getopt_long(3): `--name value`, `--name=value`, `-p value`, `-pvalue`, flags grouped as
/// in `-qv`, and `--` that ends the options. Long names are never abbreviated. A command that runs another takes options
/// before and after its operands, but not once the other command has begun.
package struct Parser: Sendable {
    private let tree: CommandTree

    package init(_ tree: CommandTree) {
        self.tree = tree
    }

    /// Reads the words after the program's name; every failure is `usage`.
    package func parse(_ words: [ByteString]) -> ParseOutcome {
        var reader = LineReader(tree: tree, words: words[...])
        let request = Result { () throws(VTError) in try reader.request() }
        return ParseOutcome(
            globalOptions: reader.given.globalOptions,
            command: reader.command,
            passesStatusThrough: reader.passesStatusThrough,
            request: request
        )
    }
}
