import Arguments
import Core
import System

/// A program `vt-NAME` in a directory of PATH, which runs as `vt NAME`.
package struct Plugin: Sendable {
    package let name: String
    package let path: String

    private static let prefix = "vt-"

    /// Returns the plugin whose name is the first argument; nil if that is an option or the name of a command or group.
    package static func named(in arguments: [ByteString], of tree: CommandTree, environment: Environment) -> Plugin? {
        guard let name = arguments.first?.text, isPossible(name, in: tree),
            let path = ProgramPath.find(prefix + name, in: environment)
        else { return nil }
        return Plugin(name: name, path: path)
    }

    /// All plugins, sorted by name.
    static func all(of tree: CommandTree, environment: Environment) -> [Plugin] {
        // As for exec, directories that cannot be read have no programs.
        let files = ProgramPath.directories(in: environment).flatMap { (try? DirectoryListing.names(in: $0)) ?? [] }
        let names = Set(files.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) })
        return names.sorted().compactMap { named(in: [ByteString($0)], of: tree, environment: environment) }
    }

    /// Replaces this process with the plugin, and passes it the words after its name.
    ///
    /// Returns only if that fails.
    package func execute(_ words: some Sequence<ByteString>) -> VTError {
        ProgramPath.execute(path, [ByteString(path)] + words)
    }

    /// Whether a plugin can have this name: commands of vt take precedence.
    private static func isPossible(_ name: String, in tree: CommandTree) -> Bool {
        !name.isEmpty && !name.hasPrefix("-") && !name.contains("/")
            && !tree.isGroup(name) && !tree.entries.contains { $0.name == name }
    }
}
