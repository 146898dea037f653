import Arguments
import Core

/// The environment in which a command runs.
package struct Context: Sendable {
    package var global: GlobalOptions
    /// All commands, for commands that describe them.
    package var tree: CommandTree
    /// Standard output.
    package var output: Output
    /// Standard error.
    package var diagnostics: any Diagnostics
    /// Creates the services on demand: nothing is opened before it is needed.
    package var services: any ServiceFactory

    package init(
        global: GlobalOptions,
        tree: CommandTree,
        output: Output,
        diagnostics: any Diagnostics,
        services: any ServiceFactory
    ) {
        self.global = global
        self.tree = tree
        self.output = output
        self.diagnostics = diagnostics
        self.services = services
    }

    /// Prints the result of the run: the document with `--json`, otherwise the text.
    package func show(_ document: some Encodable, text: () -> String) throws(VTError) {
        if global.json {
            try output.json(document)
        } else {
            try output.text(text())
        }
    }
}
