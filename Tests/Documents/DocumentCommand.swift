/// A command in a document, with the output shown below it.
struct DocumentCommand: CustomStringConvertible {
    let line: String
    /// The lines of output; empty if the document shows none.
    var output: [String] = []

    var description: String { line }

    /// The commands in the `console` blocks of Markdown text, in order.
    static func all(in markdown: String) -> [DocumentCommand] {
        var commands: [DocumentCommand] = []
        var isInBlock = false
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInBlock = line == "```console"
            } else if isInBlock, line.hasPrefix("$ ") {
                commands.append(DocumentCommand(line: String(line.dropFirst(2))))
            } else if isInBlock, !commands.isEmpty {
                commands[commands.count - 1].output.append(String(line))
            }
        }
        return commands
    }
}
