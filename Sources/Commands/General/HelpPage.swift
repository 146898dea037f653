import CommandLine
import Core

/// One page of help: on vt, a group or a command.
struct HelpPage {
    private let tree: CommandTree
    private let path: [String]
    private let isLong: Bool

    init(_ tree: CommandTree, path: [String], isLong: Bool) {
        self.tree = tree
        self.path = path
        self.isLong = isLong
    }

    /// Writes the page, with `--json` the data it is made of.
    func show(in context: Context) throws(VTError) -> UInt8 {
        try context.output.text(tree.command(at: path)?.synopsis ?? "vt")
        return 0
    }
}
