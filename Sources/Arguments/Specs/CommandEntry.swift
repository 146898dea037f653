/// A command in the tree: its path, and its spec, which is created on demand.
package struct CommandEntry: Sendable {
    package let path: [String]
    package let spec: @Sendable () -> CommandSpec

    package init(path: [String], spec: @escaping @Sendable () -> CommandSpec) {
        self.path = path
        self.spec = spec
    }
}
