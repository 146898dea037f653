/// A command of the tree: its path, and the spec, which is made when it is needed.
package struct CommandEntry: Sendable {
    package let path: [String]
    package let spec: @Sendable () -> CommandSpec

    package init(path: [String], spec: @escaping @Sendable () -> CommandSpec) {
        self.path = path
        self.spec = spec
    }
}
