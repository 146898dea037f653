import Arguments
import Core
import Runtime
import Services
import Synchronization
import System
import Terminal

/// Calls tools.
struct MCPToolbox: Sendable {
    let policy: MCPPolicy
    let context: Context

    /// The tools that the client may call.
    var tools: [MCPTool] { MCPTool.all.filter(policy.allows) }

    /// The default limit of the output in a result.
    static let outputLimitBytes = 8192
    /// The maximum that a call can ask for.
    private static let maximumOutputBytes = 1 << 20

    /// Returns the definition of a command.
    func command(_ name: String) -> CommandSpec? {
        context.tree.entries.first { $0.name == name }?.spec()
    }

    /// Calls a tool; a failure of vt is a result, too.
    func call(_ tool: MCPTool, _ arguments: MCPObject, _ messages: MCPMessages) async -> MCPResult {
        do throws(VTError) {
            return try await result(of: tool, arguments, messages)
        } catch {
            return MCPResult(error)
        }
    }

    private func result(
        of tool: MCPTool,
        _ given: MCPObject,
        _ messages: MCPMessages
    ) async throws(VTError) -> MCPResult {
        var arguments = given
        if let session = policy.session, !given.has("target") {
            arguments = MCPObject(given.adding("target", session.text)) ?? given
        }
        let words = try tool.words(for: arguments)
        try check(tool, arguments)
        switch tool.name {
        case "run": return try await runLine(tool, words, arguments, messages)
        case "read": return try await read(arguments)
        case "screen": return try await screen(arguments)
        case "send":
            // The operands of 'send' come before its keys.
            var words = words.filter { !$0.hasPrefix("--key=") && $0 != "--enter" && $0 != "--" }
            if arguments.has("wait") { words += ["--print", "--max-output=\(outputLimit(arguments))"] }
            if arguments.has("text") { words.append("--stdin") }
            words += (arguments.strings("keys") ?? []).map { "--key=\($0)" }
            if arguments.bool("enter") ?? false { words.append("--enter") }
            let text = Array((arguments.string("text") ?? "").utf8)
            return try await run(words, for: tool, input: text, messages)
        case "kill": try checkIsNotOwn(try reference(arguments))
        default: break
        }
        return try await run(words, for: tool, messages)
    }

    private func outputLimit(_ arguments: MCPObject) -> Int {
        min(max(arguments.integer("max_bytes") ?? Self.outputLimitBytes, 1), Self.maximumOutputBytes)
    }

    private func reference(_ arguments: MCPObject) throws(VTError) -> SessionReference {
        try SessionReference(parsing: arguments.string("target") ?? "")
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

    /// A server that runs in a session must not end it.
    private func checkIsNotOwn(_ reference: SessionReference) throws(VTError) {
        guard reference.profile == nil, let own = context.console.environment["VT_SESSION"] else { return }
        let session = try context.world.sessions().session(reference.session)
        guard session.id.text == own else { return }
        throw VTError(.usage, "'\(reference.text)' is the session in which this server is running")
    }

    // MARK: - Commands

    /// Runs a command, and returns what it printed.
    private func run(
        _ words: [String],
        for tool: MCPTool,
        input: [UInt8] = [],
        _ messages: MCPMessages
    ) async throws(VTError) -> MCPResult {
        let (output, errors) = (CollectedOutput(), CollectedOutput())
        let console = Console.memory(
            input: input,
            output: output,
            errorOutput: errors,
            environment: context.console.environment
        )
        let exit = await context.run(words, on: console, diagnostics: messages)
        let failure = Self.failure(in: errors.bytes)
        if let list = tool.list {
            let objects = objects(in: output.bytes, for: tool)
            if let failure, objects.isEmpty { throw failure }
            return MCPResult(document(of: objects, as: list, failure, messages))
        }
        guard let document = MCPObject(output.bytes) else {
            throw failure ?? VTError(.internal, "'\(tool.command)' ended with \(exit) and printed no result")
        }
        if let failure { return MCPResult(failure, after: document) }
        return MCPResult(messages.notes.isEmpty ? document.json : document.adding("notes", messages.notes))
    }

    /// The error that a command has reported last.
    private static func failure(in bytes: [UInt8]) -> VTError? {
        guard let line = bytes.split(separator: UInt8(ascii: "\n")).last.map(Array.init),
            let json = try? JSONOutlineParser.parse(line), let error = json.member("error")
        else { return nil }
        return (try? FailureDocument(error, in: line))?.error
    }

    /// The objects in the array, or in the lines, that a command has printed.
    private func objects(in output: [UInt8], for tool: MCPTool) -> [[UInt8]] {
        let lines = output.split(separator: UInt8(ascii: "\n")).map(Array.init)
        let objects = MCPObject.objects(in: output) ?? lines.compactMap { MCPObject($0) }
        return objects.filter { tool.name != "profiles" || policy.allows(machine: $0.string("name")) }
            .map { $0.json(only: tool.fields.isEmpty ? $0.names : tool.fields) }
    }

    private func document(
        of objects: [[UInt8]],
        as name: String,
        _ failure: VTError?,
        _ messages: MCPMessages
    ) -> [UInt8] {
        JSONWriter.object { writer in
            writer.array(name) { writer in
                for object in objects { writer.json(object) }
            }
            if let failure { writer.member("error", FailureDocument(failure, exit: failure.code.status)) }
            if !messages.notes.isEmpty { writer.member("notes", messages.notes) }
        }
    }

    // MARK: - Tools

    private func runLine(
        _ tool: MCPTool,
        _ words: [String],
        _ arguments: MCPObject,
        _ messages: MCPMessages
    ) async throws(VTError) -> MCPResult {
        let input = arguments.string("stdin")
        let words = input == nil ? words : [words[0], words[1], "--stdin"] + words.dropFirst(2)
        func run() async throws(VTError) -> MCPResult {
            try await self.run(words, for: tool, input: Array((input ?? "").utf8), messages)
        }
        do throws(VTError) {
            return try await run().addingNextOffset()
        } catch {
            guard error.code == .notFound, arguments.bool("create") ?? true, policy.session == nil,
                let create = MCPTool.all.first(where: { $0.name == "create" })
            else { throw error }
            let words = ["sessions", "create", "--json", "--if-exists=ok", try reference(arguments).text]
            _ = try await self.run(words, for: create, messages)
            return try await run().addingNextOffset()
        }
    }

    private func read(_ arguments: MCPObject) async throws(VTError) -> MCPResult {
        let reference = try reference(arguments)
        let limit = outputLimit(arguments)
        let isRaw = arguments.bool("raw") ?? false
        return try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            let session = try await client.session(reference.session)
            let last = session.outputBytes > UInt64(limit) ? session.outputBytes - UInt64(limit) : 0
            let from = arguments.integer("from").map { UInt64(max(0, $0)) }
            let start = from ?? last
            let receiver = PartialOutput(from: start, limit: limit, startsAtLine: from == nil)
            let end = try await client.logs(
                of: reference.session,
                from: .offset(start),
                follows: false,
                receiver: receiver
            )
            return MCPResult(receiver.document(of: end, isRaw: isRaw))
        }
    }

    private func screen(_ arguments: MCPObject) async throws(VTError) -> MCPResult {
        let reference = try reference(arguments)
        let shown = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.call(ScreenRequest(), on: reference.session)
        }
        let screen = shown.emulator().screen()
        let text = TextRenderer.render(screen)
        let document = JSONWriter.object { writer in
            writer.member("output", text)
            writer.object("cursor") { writer in
                writer.member("column", screen.cursor.column)
                writer.member("row", screen.cursor.row)
            }
            writer.member("alternate", screen.isAlternate)
            writer.member("title", screen.title)
            writer.member("offset", shown.offset)
        }
        var result = MCPResult(document)
        if arguments.string("format") == "png" { result.image = try await image(of: screen) }
        return result
    }

    /// Returns the screen as PNG.
    private func image(of screen: Screen) async throws(VTError) -> [UInt8] {
        let collected = Mutex<[UInt8]>([])
        let request = ExecRequest(.arguments(["rsvg-convert", "--format=png"]))
        let streams = ProgramStreams(
            input: BytesSource(Array(SVGRenderer.render(screen).utf8)),
            output: CallbackSink { bytes throws(VTError) in collected.withLock { $0 += bytes } },
            errorOutput: CallbackSink { _ throws(VTError) in }
        )
        let exit: ExitStatus
        do throws(VTError) {
            exit = try await context.world.localMachine().run(request, streams: streams)
        } catch {
            guard !error.isCancellation else { throw error }
            throw VTError(
                error.code,
                "cannot run rsvg-convert: \(error.message)",
                hint: "install librsvg2-bin, or use the format text"
            )
        }
        guard exit == .exited(0) else { throw VTError(.internal, "rsvg-convert failed") }
        return collected.withLock { $0 }
    }
}

extension MCPResult {
    /// The offset at which the output of a later command, or the rest of this one's, begins.
    fileprivate func addingNextOffset() -> MCPResult {
        guard !isError, let object = MCPObject(json), let end = object.integer("to") else { return self }
        return MCPResult(object.adding("next_offset", end))
    }
}
