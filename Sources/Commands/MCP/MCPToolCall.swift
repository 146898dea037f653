import Core
import Runtime
import Services
import Synchronization
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
        if let failure = exit.failure { return MCPResult(failure, after: document) }
        return MCPResult(messages.notes.isEmpty ? document.json : document.adding("notes", messages.notes))
    }

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
            if let failure { writer.member("error", FailureDocument(failure, exit: failure.code.status)) }
            if !messages.notes.isEmpty { writer.member("notes", messages.notes) }
        }
    }

    // MARK: - Tools

    /// Runs a line in a shell; creates the session if it does not exist.
    static func runLine(_ call: MCPToolCall) async throws(VTError) -> MCPResult {
        let input = call.arguments.string("stdin")
        let words = call.words
        let line = input == nil ? words : [words[0], words[1], "--stdin"] + words.dropFirst(2)
        func run() async throws(VTError) -> MCPResult {
            try await call.run(line, input: Array((input ?? "").utf8)).addingNextOffset()
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

    static func send(_ call: MCPToolCall) async throws(VTError) -> MCPResult {
        let arguments = call.arguments
        // The operands of 'send' come before its keys.
        var words = call.words.filter { !$0.hasPrefix("--key=") && $0 != "--enter" && $0 != "--" }
        if arguments.has("wait") { words += ["--print", "--max-output=\(call.outputLimit)"] }
        if arguments.has("text") { words.append("--stdin") }
        words += (arguments.strings("keys") ?? []).map { "--key=\($0)" }
        if arguments.bool("enter") ?? false { words.append("--enter") }
        return try await call.run(words, input: Array((arguments.string("text") ?? "").utf8))
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
        let reference = try call.reference()
        let shown = try await SessionOperand.withClient(of: reference, in: call.context) { client throws(VTError) in
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
        if call.arguments.string("format") == "png" { result.image = try await call.image(of: screen) }
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
