/// A command and the name of its spec.
///
/// The name is kept apart from the spec because finding a command by its spec would create the specs of all of them.
package struct NamedCommand: Sendable {
    /// The command's words, separated by spaces.
    package let name: String
    package let type: any Command.Type

    package init(_ name: String, _ type: any Command.Type) {
        self.name = name
        self.type = type
    }
}
