import Arguments
import Core
import Runtime
import Services
import System
import Terminal

/// A call of a tool that the client may make.
struct MCPToolCall: Sendable {
    let tool: MCPTool
    /// The command line of the tool's command for the arguments.
    let words: [String]
    let arguments: MCPObject
    let messages: MCPMessages
    let toolbox: MCPToolbox

    /// The default limit of the output in a result.
    private static let outputLimitBytes = 8192
    /// The maximum that a call can ask for.
    private static let maximumOutputBytes = 1 << 20

    private var context: Context { toolbox.context }

    private var outputLimit: Int {
        min(max(arguments.integer("max_bytes") ?? Self.outputLimitBytes, 1), Self.maximumOutputBytes)
    }

    private func reference() throws(VTError) -> SessionReference {
        try SessionReference(parsing: arguments.string("target") ?? "")
    }

    // MARK: - Commands

    /// Runs the command of the tool.
    static func command(_ call: MCPToolCall) async throws(VTError) -> MCPResult {
        try await call.run(call.words)
    }

    /// Runs a command, and returns what it printed.
    private func run(
        _ words: [String],
        input: [UInt8] = [],
        for tool: MCPTool? = nil
    ) async throws(VTError) -> MCPResult {
        let tool = tool ?? self.tool
        let output = CollectedOutput()
        let console = Console.memory(input: input, output: output, environment: context.console.environment)
        let exit: Result<ProcessExit, VTError> = await Result { () async throws(VTError) in
            try await context.run(words, on: console, diagnostics: messages)
        }
        if let list = tool.list {
            let objects = objects(in: output.bytes, for: tool)
            if let failure = exit.failure, objects.isEmpty { throw failure }
            return MCPResult(document(of: objects, as: list, exit.failure))
        }
        guard let document = MCPObject(output.bytes) else {
            throw VTError(.internal, "'\(tool.command)' ended with \(try exit.get()) and printed no result")
        }
        if let failure = exit.failure { return MCPResult(wording.error(failure), after: document) }
        let kept = tool.fields.isEmpty ? document : MCPObject(document.json(only: tool.fields)) ?? document
        return MCPResult(notes.isEmpty ? kept.json : kept.adding("notes", notes))
    }

    private var wording: MCPWording { toolbox.wording(for: tool) }

    /// The notes that apply to the client.
    private var notes: [String] { messages.notes.compactMap(wording.hint) }

    /// The objects in the array, or in the lines, that a command has printed.
    private func objects(in output: [UInt8], for tool: MCPTool) -> [[UInt8]] {
        let lines = output.split(separator: UInt8(ascii: "\n")).map(Array.init)
        let objects = MCPObject.objects(in: output) ?? lines.compactMap { MCPObject($0) }
        return objects.filter { tool.isListed($0, toolbox.policy) }
            .map { $0.json(only: tool.fields.isEmpty ? $0.names : tool.fields) }
    }

    private func document(of objects: [[UInt8]], as name: String, _ failure: VTError?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.array(name) { writer in
                for object in objects { writer.json(object) }
            }
            if let failure {
                writer.member("error", FailureDocument(wording.error(failure), exit: failure.code.status))
            }
            if !notes.isEmpty { writer.member("notes", notes) }
        }
    }

    // MARK: - Tools

    /// Runs a line in a shell; creates the session if it does not exist.
    static func runLine(_ call: MCPToolCall) async throws(VTError) -> MCPResult {
        let input = call.arguments.string("stdin")
        let words = call.words
        let options = input == nil ? ["--return-on-input"] : ["--return-on-input", "--stdin"]
        let line = words.prefix(2) + options + words.dropFirst(2)
        func run() async throws(VTError) -> MCPResult {
            await call.advising(try await call.run(Array(line), input: Array((input ?? "").utf8)))
        }
        do throws(VTError) {
            return try await run()
        } catch {
            guard error.code == .notFound, call.arguments.bool("create") ?? true, call.toolbox.policy.session == nil,
                !["repl", "prompt"].contains(where: call.arguments.has)
            else { throw error }
            let words = ["sessions", "create", "--json", "--if-exists=ok", try call.reference().text]
            _ = try await call.run(words, for: .create)
            return try await run()
        }
    }

    /// Adds to the result of a line where later output begins and, if the line has not ended, what to do.
    private func advising(_ result: MCPResult) async -> MCPResult {
        guard let object = MCPObject(result.json), let end = object.integer("to") else { return result }
        let outcome = object.string("outcome")
        let isOpen = outcome == "timed-out" || outcome == "input"
        // The notes that explain the outcome to people are replaced by the hint.
        let notes = isOpen ? messages.notesBeforeFailure.compactMap(wording.hint) : notes
        let hint = isOpen ? await advice(waitsForInput: outcome == "input") : nil
        return MCPResult(
            JSONWriter.object { writer in
                object.write(object.names.filter { $0 != "to" && $0 != "notes" }, to: &writer)
                writer.member("next_offset", end)
                if !notes.isEmpty { writer.member("notes", notes) }
                writer.member("hint", hint)
            }
        )
    }

    /// What to do about a command that has not ended.
    private func advice(waitsForInput: Bool) async -> String {
        // If the screen cannot be read, the result is as good without it.
        if let shown = try? await shown(), shown.emulator().screen().isAlternate {
            return "a full-screen program is running: use 'screen' to see it, and 'send' to control it"
        }
        guard !waitsForInput else { return "the command waits for input: use 'send'" }
        return "the command is still running: use 'wait' with prompt=true, and then 'read' from next_offset"
    }

    /// The screen of the session.
    private func shown() async throws(VTError) -> SessionScreen {
        let reference = try reference()
        return try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.call(ScreenRequest(), on: reference.session)
        }
    }

    static func send(_ call: MCPToolCall) async throws(VTError) -> MCPResult {
        let arguments = call.arguments
        if let steps = arguments.objects("steps") { return try await call.send(steps) }
        return try await call.run(call.sendingWords, input: Array((arguments.string("text") ?? "").utf8))
    }

    /// The command line that sends what the arguments say.
    private var sendingWords: [String] {
        // The operands of 'send' come before its keys.
        var words = words.filter { !$0.hasPrefix("--key=") && $0 != "--enter" && $0 != "--" }
        if arguments.has("wait") { words += ["--print", "--max-output=\(outputLimit)"] }
        if arguments.has("text") { words.append("--stdin") }
        words += (arguments.strings("keys") ?? []).map { "--key=\($0)" }
        if arguments.bool("enter") ?? false { words.append("--enter") }
        return words
    }

    /// Sends the steps until one of them fails; if one is invalid, nothing is sent.
    private func send(_ steps: [MCPObject]) async throws(VTError) -> MCPResult {
        let target = arguments.string("target") ?? ""
        if let other = arguments.names.first(where: { $0 != "target" && $0 != "steps" }) {
            throw VTError(.usage, "'\(other)' cannot be used with steps", hint: "specify it in a step")
        }
        guard !steps.isEmpty else { throw VTError(.usage, "'steps' is empty") }
        var calls: [MCPToolCall] = []
        for step in steps {
            if let name = ["target", "steps"].first(where: step.has) {
                throw VTError(.usage, "a step has no parameter '\(name)'")
            }
            let arguments = MCPObject(step.adding("target", target)) ?? step
            let words = try tool.words(for: arguments)
            let call = MCPToolCall(
                tool: tool,
                words: words,
                arguments: arguments,
                messages: MCPMessages(),
                toolbox: toolbox
            )
            switch Parser(context.tree).parse(call.sendingWords.map { ByteString($0) }).request {
            case .run(let parsed): try SessionSendCommand.check(parsed)
            case .reject(let error): throw error
            case .help: break
            }
            calls.append(call)
        }
        var results: [MCPResult] = []
        for call in calls where results.last?.isComplete ?? true {
            do throws(VTError) {
                results.append(try await Self.send(call))
            } catch {
                results.append(MCPResult(wording.error(error)))
            }
        }
        let document = JSONWriter.object { writer in
            writer.array("results") { writer in
                for result in results { writer.json(result.json) }
            }
        }
        var result = MCPResult(document)
        result.text = results.map(\.text).joined(separator: "\n")
        result.isError = results.contains(where: \.isError)
        return result
    }

    /// Ends a session, except for the one in which this server runs.
    static func kill(_ call: MCPToolCall) async throws(VTError) -> MCPResult {
        let reference = try call.reference()
        if reference.profile == nil, let own = call.context.console.environment["VT_SESSION"] {
            let session = try call.context.world.sessions().session(reference.session)
            guard session.id.text != own else {
                throw VTError(.usage, "'\(reference.text)' is the session in which this server is running")
            }
        }
        return try await command(call)
    }

    static func read(_ call: MCPToolCall) async throws(VTError) -> MCPResult {
        let (arguments, limit) = (call.arguments, call.outputLimit)
        let reference = try call.reference()
        let isRaw = arguments.bool("raw") ?? false
        return try await SessionOperand.withClient(of: reference, in: call.context) { client throws(VTError) in
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

    static func screen(_ call: MCPToolCall) async throws(VTError) -> MCPResult {
        let shown = try await call.shown()
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
        if call.arguments.string("format") == "png" {
            let world = call.context.world
            let renderer = PNGRenderer(environment: call.context.console.environment, clock: world.clock)
            result.image = try await renderer.image(of: screen)
        }
        return result
    }
}
