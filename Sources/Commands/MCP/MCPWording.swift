import Core

/// Rewrites messages and hints, which name commands and their options, for a client that calls tools with parameters.
struct MCPWording {
    /// The tool that was called.
    let tool: MCPTool
    /// The tools that the client can call.
    let tools: [MCPTool]

    /// Commands without a tool, with the command of the tool that serves the same purpose.
    private static let related = ["sessions show": "sessions list"]

    func error(_ error: VTError) -> VTError {
        var error = error
        error.message = text(error.message)
        error.hint = error.code == .ended ? endHint : error.hint.flatMap(hint)
        return error
    }

    /// A message or a note, in which an option for which there is no parameter remains.
    func text(_ text: String) -> String {
        clause(text) ?? text
    }

    /// Returns the parts of a hint that apply to this client; nil if there is none.
    func hint(_ hint: String) -> String? {
        let clauses = hint.split(separator: "; ").compactMap { clause(String($0)) }
        return clauses.isEmpty ? nil : clauses.joined(separator: "; ")
    }

    private var endHint: String? {
        let usable = tools.map(\.name)
        let hints = [
            usable.contains("read") ? "to see its output, use 'read'" : nil,
            usable.contains("create") ? "to start it again, use 'create' with if_exists=ok" : nil,
        ]
        let known = hints.compactMap { $0 }
        return known.isEmpty ? nil : known.joined(separator: "; ")
    }

    /// Nil if the text names an option for which the tool has no parameter, or the help.
    private func clause(_ text: String) -> String? {
        var (result, rest) = ("", text[...])
        while let start = rest.firstRange(of: "'vt ") {
            guard let plain = options(String(rest[..<start.lowerBound])) else { return nil }
            result += plain
            let end = rest[start.upperBound...].firstIndex(of: "'") ?? rest.endIndex
            let words = rest[start.upperBound..<end].split(separator: " ").map(String.init)
            guard words.first != "help" else { return nil }
            if let call = call(of: words) {
                result += call
            } else {
                // Only a person can run it.
                if result.hasSuffix("use ") { result.removeLast(4) }
                result += "ask the user to run 'vt \(words.joined(separator: " "))'"
            }
            rest = end < rest.endIndex ? rest[rest.index(after: end)...] : ""
        }
        return options(String(rest)).map { result + $0 }
    }

    /// Replaces options by parameters of the tool.
    private func options(_ text: String) -> String? {
        var words: [String] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let quote = word.prefix { $0 == "'" }
            let option = word.dropFirst(quote.count)
            guard option.hasPrefix("--"), option.count > 2 else {
                words.append(String(word))
                continue
            }
            let name = option.dropFirst(2).prefix { $0.isLetter || $0 == "-" }
            guard let parameter = tool.parameter(for: String(name)) else { return nil }
            words.append(quote + parameter.name + option.dropFirst(2 + name.count))
        }
        return words.joined(separator: " ")
    }

    /// Returns the call for the words of a command, such as "'read' with target=dev, from=100".
    private func call(of words: [String]) -> String? {
        let command = words.prefix(2).joined(separator: " ")
        let related = Self.related[command]
        guard let tool = tools.first(where: { $0.command == related ?? command }) else { return nil }
        var (operands, options): ([String], [String]) = ([], [])
        var rest = related == nil ? words.dropFirst(2) : []
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                operands.append(word)
                continue
            }
            guard let parameter = tool.parameter(for: String(word.dropFirst(2))) else { continue }
            if case .boolean = parameter.kind {
                options.append("\(parameter.name)=true")
            } else if let value = rest.popFirst() {
                options.append("\(parameter.name)=\(value)")
            }
        }
        let names = tool.parameters.map(\.name).filter { ["target", "line", "command", "text"].contains($0) }
        let values = zip(names, operands).map { "\($0)=\($1)" } + options
        return "'\(tool.name)'" + (values.isEmpty ? "" : " with \(values.joined(separator: ", "))")
    }
}

extension MCPTool {
    /// The parameter for an option of a command.
    fileprivate func parameter(for option: String) -> MCPParameter? {
        let name = option.replacing("-", with: "_")
        return parameters.first { if case .option(option) = $0.use { true } else { $0.name == name } }
    }
}
