/// A command in the tree: its name, and its spec, which is created on demand.
package struct CommandEntry: Sendable {
    /// The command's words, separated by spaces, such as `profile add`.
    package let name: String
    package let spec: @Sendable () -> CommandSpec

    package init(name: String, spec: @escaping @Sendable () -> CommandSpec) {
        self.name = name
        self.spec = spec
    }
}
