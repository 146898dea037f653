import Testing

/// The start files and the environment of a shell in a session.
struct ShellConfiguration: Sendable, CustomTestStringConvertible {
    let name: String
    /// The contents of the file that interactive shells read.
    let text: String?
    /// Other start files by their path in the home directory.
    let files: [String: String]
    let arguments: [String]
    /// Variables, in whose values `$HOME` is the home directory.
    let environment: [String: String]
    /// The number of columns and rows.
    let size: String
    /// A regular expression for the lines that mean something else in this configuration.
    let skipped: String?
    /// A regular expression for what the configuration adds to the output of lines.
    let noise: String?
    /// A line that fails ends the shell.
    let endsOnFailure: Bool

    init(
        _ name: String,
        _ text: String? = nil,
        files: [String: String] = [:],
        arguments: [String] = [],
        environment: [String: String] = [:],
        size: String = "80x24",
        skipped: String? = nil,
        noise: String? = nil,
        endsOnFailure: Bool = false
    ) {
        self.name = name
        self.text = text
        self.files = files
        self.arguments = arguments
        self.environment = environment
        self.size = size
        self.skipped = skipped
        self.noise = noise
        self.endsOnFailure = endsOnFailure
    }

    var testDescription: String { name }

    static func all(for family: TestShell.Family) -> [Self] {
        switch family {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        case .sh: sh
        }
    }
}
