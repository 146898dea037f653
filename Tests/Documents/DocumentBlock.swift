/// A fenced code block of a Markdown text.
struct DocumentBlock {
    let language: Substring
    let indentation: Int
    var lines: [Substring] = []

    var text: String { lines.joined(separator: "\n") }

    static func all(in markdown: String) -> [DocumentBlock] {
        var blocks: [DocumentBlock] = []
        var block: DocumentBlock?
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            let content = line.drop { $0 == " " }
            if content.hasPrefix("```") {
                if let block { blocks.append(block) }
                if block != nil {
                    block = nil
                } else {
                    block = DocumentBlock(language: content.dropFirst(3), indentation: line.count - content.count)
                }
            } else if let indentation = block?.indentation {
                block?.lines.append(line.dropFirst(indentation))
            }
        }
        return blocks
    }
}
