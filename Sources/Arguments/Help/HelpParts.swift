/// The parts of a description: what the command or topic is for, and the details under their headings.
struct HelpParts {
    typealias Section = (heading: String, paragraphs: [String])

    private(set) var purpose: [String] = []
    private(set) var sections: [Section] = []

    /// Divides paragraphs at those that start with `# `, which are headings.
    init(_ description: [String]) {
        for paragraph in description {
            if paragraph.hasPrefix("# ") {
                sections.append((String(paragraph.dropFirst(2)), []))
            } else if sections.isEmpty {
                purpose.append(paragraph)
            } else {
                sections[sections.count - 1].paragraphs.append(paragraph)
            }
        }
    }
}
