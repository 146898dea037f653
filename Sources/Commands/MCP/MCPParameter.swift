import Arguments
import Core

/// A parameter of a tool.
struct MCPParameter: Sendable {
    enum Kind: Sendable {
        case string, integer, boolean, strings, objects
        /// A number of seconds, which may have a fraction.
        case seconds
        case choice([String])
    }

    /// What the value is used for.
    enum Use: Sendable {
        /// A `[PROFILE:]SESSION`, as an operand of the command.
        case session
        /// A `[PROFILE:]PATH`, as an operand of the command.
        case file
        /// A server, as an operand of the command.
        case profile
        case operand
        /// An option of the command, by its long name.
        case option(String)
        /// The tool uses the value itself.
        case tool
    }

    let name: String
    let kind: Kind
    let use: Use
    var isRequired = false
    /// The value, as the command line has it, if a call has none.
    var initial: String?
    /// Nil for the summary of the option.
    var summary: String?

    static let target = MCPParameter(
        name: "target",
        kind: .string,
        use: .session,
        isRequired: true,
        summary: "[PROFILE:]SESSION"
    )

    static func option(
        _ name: String,
        _ option: String? = nil,
        _ kind: Kind = .string,
        default initial: String? = nil,
        summary: String? = nil
    ) -> MCPParameter {
        MCPParameter(name: name, kind: kind, use: .option(option ?? name), initial: initial, summary: summary)
    }

    static func own(_ name: String, _ kind: Kind, _ summary: String) -> MCPParameter {
        MCPParameter(name: name, kind: kind, use: .tool, summary: summary)
    }

    /// Returns the value as words of a command line; empty if there is none.
    ///
    /// - Throws: `usage` when the value has another type.
    func words(in arguments: MCPObject) throws(VTError) -> [String] {
        guard arguments.has(name) else { return initial.map { [$0] } ?? [] }
        let words: [String]? =
            switch kind {
            case .string: arguments.string(name).map { [$0] }
            case .integer: arguments.integer(name).map { ["\($0)"] }
            case .boolean: arguments.bool(name).map { $0 ? [""] : [] }
            case .strings: arguments.strings(name)
            case .objects: arguments.objects(name).map { _ in [] }
            case .seconds: arguments.number(name).flatMap(Self.milliseconds).map { ["\($0)ms"] }
            case .choice(let choices):
                arguments.string(name).flatMap { choices.contains($0) ? [$0] : nil }
            }
        guard let words else { throw VTError(.usage, "'\(name)' must be \(kind.phrase)") }
        return words
    }

    private static func milliseconds(_ seconds: Double) -> Int? {
        seconds >= 0 && seconds < 1e9 ? Int(seconds * 1000) : nil
    }

    /// Writes the JSON Schema of the value.
    func writeSchema(to writer: inout JSONWriter, for command: CommandSpec?) {
        writer.object { writer in
            switch kind {
            case .string: writer.member("type", "string")
            case .integer: writer.member("type", "integer")
            case .seconds: writer.member("type", "number")
            case .boolean: writer.member("type", "boolean")
            case .strings:
                writer.member("type", "array")
                writer.object("items") { $0.member("type", "string") }
            case .objects:
                writer.member("type", "array")
                writer.object("items") { $0.member("type", "object") }
            case .choice(let choices): writer.member("enum", choices)
            }
            if let text = summary ?? option(of: command)?.summary { writer.member("description", text) }
            guard let initial else { return }
            switch kind {
            case .integer: writer.member("default", Int(initial))
            case .seconds: writer.member("default", Int(initial.dropLast()))
            default: writer.member("default", initial)
            }
        }
    }

    func option(of command: CommandSpec?) -> OptionSpec? {
        guard case .option(let long) = use else { return nil }
        return command?.options.first { $0.long == long }
    }
}

extension MCPParameter.Kind {
    /// The type in a message, such as "a string".
    fileprivate var phrase: String {
        switch self {
        case .string: "a string"
        case .integer: "an integer"
        case .boolean: "true or false"
        case .strings: "an array of strings"
        case .objects: "an array of objects"
        case .seconds: "a number of seconds"
        case .choice(let choices): "one of \(choices.joined(separator: ", "))"
        }
    }
}
