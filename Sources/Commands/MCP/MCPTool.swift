import Arguments
import Core

/// A tool of `vt mcp`, which runs a command of vt.
struct MCPTool: Sendable {
    /// What a call can do, as hints for the client (ToolAnnotations in the MCP schema, whose defaults are omitted).
    struct Effect: OptionSet {
        let rawValue: Int

        static let readOnly = Effect(rawValue: 1)
        static let destructive = Effect(rawValue: 2)
        static let idempotent = Effect(rawValue: 4)
        /// The call can interact with anything outside, such as a network.
        static let openWorld = Effect(rawValue: 8)
    }

    let name: String
    /// The name of the command, such as "sessions exec".
    let command: String
    let summary: String
    let effect: Effect
    let parameters: [MCPParameter]
    /// If the command prints an array, the name of the member of the result that contains it.
    var list: String?
    /// The members to keep of the result or, if it is a list, of each object in it; empty for all.
    ///
    /// A dot separates the names of nested members.
    var fields: [String] = []
    /// Whether the client may see an object of the list.
    var isListed: @Sendable (MCPObject, MCPPolicy) -> Bool = { _, _ in true }
    var perform: @Sendable (MCPToolCall) async throws(VTError) -> MCPResult = MCPToolCall.command

    /// Writes the definition (Tool in the MCP schema).
    func write(to writer: inout JSONWriter, for command: CommandSpec?) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("description", summary)
            writer.object("inputSchema") { writer in
                writer.member("type", "object")
                writer.object("properties") { writer in
                    for parameter in parameters {
                        writer.name(parameter.name)
                        parameter.writeSchema(to: &writer, for: command)
                    }
                }
                let required = parameters.filter(\.isRequired).map(\.name)
                if !required.isEmpty { writer.member("required", required) }
            }
            writer.object("annotations") { writer in
                if effect.contains(.readOnly) {
                    writer.member("readOnlyHint", true)
                } else if !effect.contains(.destructive) {
                    writer.member("destructiveHint", false)
                }
                if effect.contains(.idempotent) { writer.member("idempotentHint", true) }
                if !effect.contains(.openWorld) { writer.member("openWorldHint", false) }
            }
        }
    }

    /// Returns the command line for these arguments.
    ///
    /// - Throws: `usage` when an argument is missing, unknown, or has another type.
    func words(for arguments: MCPObject) throws(VTError) -> [String] {
        let names = parameters.map(\.name)
        if let unknown = arguments.names.first(where: { !names.contains($0) }) {
            throw VTError(
                .usage,
                "'\(name)' has no parameter '\(unknown)'",
                hint: "the parameters are \(names.joined(separator: ", "))"
            )
        }
        var options: [String] = []
        var sessions: [String] = []
        var operands: [String] = []
        for parameter in parameters {
            let words = try parameter.words(in: arguments)
            guard !words.isEmpty || !parameter.isRequired else {
                throw VTError(.usage, "'\(parameter.name)' is missing")
            }
            switch parameter.use {
            case .session: sessions += words
            case .file, .profile, .operand: operands += words
            case .option(let long): options += words.map { $0.isEmpty ? "--\(long)" : "--\(long)=\($0)" }
            case .tool: break
            }
        }
        return command.split(separator: " ").map(String.init) + ["--json"] + options + sessions + ["--"] + operands
    }
}
