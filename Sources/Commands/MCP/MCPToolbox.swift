import Arguments
import Core

/// Calls tools.
struct MCPToolbox: Sendable {
    let policy: MCPPolicy
    let context: Context

    /// The tools that the client may call.
    var tools: [MCPTool] { MCPTool.all.filter(policy.allows) }

    /// Returns the definition of a command.
    func command(_ name: String) -> CommandSpec? {
        context.tree.entries.first { $0.name == name }?.spec()
    }

    func wording(for tool: MCPTool) -> MCPWording { MCPWording(tool: tool, tools: tools) }

    /// Calls a tool; a failure of vt is a result, too.
    func call(_ tool: MCPTool, _ arguments: MCPObject, _ messages: MCPMessages) async -> MCPResult {
        do throws(VTError) {
            var arguments = arguments
            if let session = policy.session, !arguments.has("target") {
                arguments = MCPObject(arguments.adding("target", session.text)) ?? arguments
            }
            let words = try tool.words(for: arguments)
            try check(tool, arguments)
            return try await tool.perform(
                MCPToolCall(tool: tool, words: words, arguments: arguments, messages: messages, toolbox: self)
            )
        } catch {
            return MCPResult(wording(for: tool).error(error))
        }
    }

    /// Checks that the client may use the sessions and machines in the arguments.
    private func check(_ tool: MCPTool, _ arguments: MCPObject) throws(VTError) {
        for parameter in tool.parameters {
            guard let word = arguments.string(parameter.name) ?? (parameter.isRequired ? "" : nil) else {
                if case .profile = parameter.use { try policy.check(machine: nil) }
                continue
            }
            switch parameter.use {
            case .session:
                let reference = try SessionReference(parsing: word)
                // Such a name would be an option of the command.
                guard !word.hasPrefix("-") else { throw VTError(.usage, "invalid session '\(word)'") }
                try policy.check(reference)
            case .file: try policy.check(machine: try FileOperand(parsing: ByteString(word)).target)
            case .profile: try policy.check(machine: word == ProfileName.local ? nil : word)
            case .operand, .option, .tool: break
            }
        }
    }
}
