/// A checked-in file that is generated from the source code.
package struct GeneratedFile: Hashable, Sendable {
    /// Relative to the root of the source tree.
    package let path: String
    package let text: String

    /// Returns all generated files, sorted by path.
    package static func all(of tree: CommandTree) -> [GeneratedFile] {
        let pages = ManualPage(tree).all().map { GeneratedFile(path: "man/\($0.key)", text: $0.value) }
        let completions = [
            GeneratedFile(path: "completions/_vt", text: ZshCompletion(tree).script()),
            GeneratedFile(path: "completions/vt.bash", text: BashCompletion(tree).script()),
            GeneratedFile(path: "completions/vt.fish", text: FishCompletion(tree).script()),
        ]
        let reference = GeneratedFile(path: "docs/json.md", text: JSONReference(tree).text())
        return (completions + pages + [reference]).sorted { $0.path < $1.path }
    }
}
