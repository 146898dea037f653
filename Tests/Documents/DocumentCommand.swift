/// A command in a document, with the output shown below it.
struct DocumentCommand: CustomStringConvertible {
    /// A line of a `console` block, or all lines of a script.
    let text: String
    /// The lines of output; empty if the document shows none.
    var output: [String] = []

    var description: String { text }

    var callsMake: Bool { text.hasPrefix("make ") }

    /// The commands in a block: those of a `console` block, or the whole of a script.
    static func all(in block: DocumentBlock) -> [DocumentCommand] {
        switch block.language {
        case "console":
            var commands: [DocumentCommand] = []
            for line in block.lines {
                if line.hasPrefix("$ ") {
                    commands.append(DocumentCommand(text: String(line.dropFirst(2))))
                } else if !commands.isEmpty {
                    commands[commands.count - 1].output.append(String(line))
                }
            }
            return commands
        case "sh", "bash": return [DocumentCommand(text: block.text)]
        case "python": return [DocumentCommand(text: "python3 <<'END'\n\(block.text)\nEND")]
        default: return []
        }
    }
}
