import Core
import Recording
import Runtime
import Services

/// A server of the Model Context Protocol on standard input and output.
final class MCPServer: Sendable {
    /// The kind of client, known from its first request.
    private enum Era {
        case modern, legacy
    }

    private struct State {
        var era: Era?
        /// The running requests by their IDs; true once the client has canceled one.
        var requests: [[UInt8]: Monitor<Bool>] = [:]
    }

    private let toolbox: MCPToolbox
    private let resources: MCPResources
    private let context: Context
    private let output: MCPOutput
    private let state = Monitor(State())

    /// The supported revisions of the protocol, without a handshake: each request names its revision.
    static let modernRevisions = ["2026-07-28"]
    /// Those with the handshake `initialize`, newest first.
    private static let legacyRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

    /// The maximum length of a message.
    private static let messageLimitBytes = 16 << 20
    /// The maximum number of requests that run at the same time.
    private static let requestLimit = 64
    /// How long requests may run after the end of the input.
    private static let endLimit = Duration.seconds(1)
    private static let progressInterval = Duration.seconds(1)

    init(_ policy: MCPPolicy, _ context: Context) {
        self.context = context
        output = MCPOutput(context.queues.output())
        toolbox = MCPToolbox(policy: policy, context: context)
        resources = MCPResources(toolbox)
    }

    /// Answers requests until the input ends; requests that are still running shortly after that are canceled.
    func run() async throws(VTError) {
        try await withTasks(of: Void.self) { group throws(VTError) in
            var buffer = LineBuffer()
            let input = context.console.input.source()
            while let bytes = try await input.read() {
                buffer.append(bytes)
                while let range = buffer.line() {
                    let line = Array(buffer.bytes[range])
                    buffer.consume(to: range.upperBound + 1)
                    if let work = try await accept(line) { group.addTask { await work() } }
                }
                guard buffer.count <= Self.messageLimitBytes else {
                    throw VTError(.protocolViolation, "a message is longer than \(Self.messageLimitBytes) bytes")
                }
            }
            await finishRequests()
        }
    }

    /// Waits a moment for the running requests.
    private func finishRequests() async {
        let late = VTError(.timedOut, "the input has ended")
        let state = state
        try? await withTimeout(Self.endLimit, on: context.world.clock, throwing: late) {
            () async throws(VTError) in
            try await state.wait { $0.requests.isEmpty ? () : nil }
        }
    }

    // MARK: - Messages

    /// Answers a message, or returns the work that does.
    private func accept(_ line: [UInt8]) async throws(VTError) -> (@Sendable () async -> Void)? {
        guard line.contains(where: { !" \t\r".utf8.contains($0) }) else { return nil }
        let message: MCPMessage
        do throws(MCPFailure) {
            message = try MCPMessage(line)
        } catch {
            try await output.send(error)
            return nil
        }
        guard let id = message.id else {
            receive(message)
            return nil
        }
        let cancellation = Monitor(false)
        do throws(MCPFailure) {
            try register(id, cancellation)
            try selectEra(for: message)
        } catch {
            if error.requested != nil || error.code != .invalidRequest { finish(id) }
            try await output.send(error)
            return nil
        }
        return { await self.serve(message, id, cancellation) }
    }

    private func register(_ id: [UInt8], _ cancellation: Monitor<Bool>) throws(MCPFailure) {
        try state.withLock { state throws(MCPFailure) in
            guard state.requests[id] == nil else {
                throw MCPFailure(.invalidRequest, "the ID is that of a running request", id: id)
            }
            guard state.requests.count < Self.requestLimit else {
                throw MCPFailure(.invalidRequest, "\(Self.requestLimit) requests are running", id: id)
            }
            state.requests[id] = cancellation
        }
    }

    private func finish(_ id: [UInt8]) {
        state.update { _ = $0.requests.removeValue(forKey: id) }
    }

    /// Checks the revision of a request; the first request decides whether the client uses the handshake.
    private func selectEra(for message: MCPMessage) throws(MCPFailure) {
        let isHandshake = message.method == "initialize"
        let era = state.withLock { state in
            let era = state.era ?? (isHandshake || message.revision == nil ? .legacy : .modern)
            if isHandshake || message.revision != nil { state.era = era }
            return era
        }
        guard era == .modern else { return }
        let revision = message.revision ?? message.params.string("protocolVersion") ?? ""
        guard isHandshake || !Self.modernRevisions.contains(revision) else { return }
        throw MCPFailure(
            .unsupportedVersion,
            "unsupported revision of the protocol",
            id: message.id,
            requested: revision
        )
    }

    private func receive(_ notification: MCPMessage) {
        guard notification.method == "notifications/cancelled",
            let id = notification.params.json("requestId")
        else { return }
        state.withLock { $0.requests[id] }?.update { $0 = true }
    }

    /// Answers a request, unless the client cancels it.
    private func serve(_ message: MCPMessage, _ id: [UInt8], _ cancellation: Monitor<Bool>) async {
        defer { finish(id) }
        do throws(VTError) {
            try await withWatch({ () async throws(VTError) in
                try await cancellation.wait { $0 ? () : nil }
                throw .cancelled
            }) { () async throws(VTError) in
                try await self.answer(message, id, cancellation)
            }
        } catch {
            // The request was canceled, or the client has gone: nobody waits for an answer.
        }
    }

    private func answer(_ message: MCPMessage, _ id: [UInt8], _ cancellation: Monitor<Bool>) async throws(VTError) {
        let result: [UInt8]
        do throws(MCPFailure) {
            result = try await self.result(of: message, id)
        } catch {
            return try await output.send(error, for: id)
        }
        guard !cancellation.withLock({ $0 }), !Task.isCancelled else { return }
        try await output.send(result: result, for: id)
    }

    // MARK: - Requests

    private var isModern: Bool { state.withLock { $0.era == .modern } }

    private func result(of message: MCPMessage, _ id: [UInt8]) async throws(MCPFailure) -> [UInt8] {
        switch message.method {
        case "server/discover": return discovery()
        case "initialize": return handshake(message)
        case "ping": return object { _ in }
        case "tools/list":
            return object(isCacheable: true) { writer in
                writer.array("tools") { writer in
                    for tool in toolbox.tools { tool.write(to: &writer, for: toolbox.command(tool.command)) }
                }
            }
        case "tools/call": return try await call(message)
        case "resources/list":
            let list = try await resources.list()
            return object(isCacheable: true) { writer in
                writer.member("resources", json: list)
            }
        case "resources/templates/list":
            return object(isCacheable: true) { writer in
                writer.member("resourceTemplates", json: MCPResources.templates)
            }
        case "resources/read":
            let contents = try await resources.read(message.params.string("uri") ?? "")
            return object(isCacheable: true) { writer in
                writer.member("contents", json: contents)
            }
        case "subscriptions/listen": return try await listen(message, id)
        default: throw MCPFailure(.methodNotFound, "unknown method '\(message.method.prefix(100))'")
        }
    }

    /// Writes a result.
    ///
    /// Cacheable results must say for how long (MCP 2026-07-28, CacheableResult).
    private func object(isCacheable: Bool = false, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        let isModern = isModern
        return JSONWriter.object { writer in
            members(&writer)
            guard isModern else { return }
            writer.member("resultType", "complete")
            if isCacheable {
                writer.member("ttlMs", 0)
                writer.member("cacheScope", "private")
            }
            writer.object("_meta") { writer in
                writer.member(Self.serverKey, json: Self.server)
            }
        }
    }

    private static let serverKey = "io.modelcontextprotocol/serverInfo"

    /// Implementation in the MCP schema.
    private static let server = JSONWriter.object { writer in
        writer.member("name", "vt")
        writer.member("version", Release.version)
    }

    private static let instructions =
        "vt keeps terminal sessions, on this machine and on servers (PROFILE:SESSION). Use run for shell lines; the "
        + "shell of a session keeps its state. For programs with a terminal interface, use send, wait and screen. A "
        + "timeout leaves the command running: continue with wait and read, and do not run it again."

    private func discovery() -> [UInt8] {
        object(isCacheable: true) { writer in
            writer.member("supportedVersions", Self.modernRevisions + Self.legacyRevisions)
            writer.object("capabilities") { writer in
                writer.object("tools") { _ in }
                writer.object("resources") { $0.member("subscribe", true) }
            }
            writer.member("instructions", Self.instructions)
        }
    }

    private func handshake(_ message: MCPMessage) -> [UInt8] {
        let requested = message.params.string("protocolVersion") ?? ""
        return object { writer in
            writer.member(
                "protocolVersion",
                Self.legacyRevisions.contains(requested) ? requested : Self.legacyRevisions[0]
            )
            writer.object("capabilities") { writer in
                writer.object("tools") { _ in }
                writer.object("resources") { _ in }
            }
            writer.member("serverInfo", json: Self.server)
            writer.member("instructions", Self.instructions)
        }
    }

    private func call(_ message: MCPMessage) async throws(MCPFailure) -> [UInt8] {
        let name = message.params.string("name") ?? ""
        guard let tool = toolbox.tools.first(where: { $0.name == name }) else {
            throw MCPFailure(.invalidParams, "unknown tool '\(name.prefix(100))'")
        }
        guard let arguments = message.params.object("arguments") ?? MCPObject(Array("{}".utf8)) else {
            throw MCPFailure(.invalidParams, "'arguments' is not an object")
        }
        let messages = MCPMessages()
        let token = message.params.object("_meta")?.json("progressToken")
        let toolbox = toolbox
        let result = try? await withWatch({ () async throws(VTError) in
            guard let token else { return }
            try await self.reportProgress(of: messages, token)
        }) { () async throws(VTError) in
            await toolbox.call(tool, arguments, messages)
        }
        // Nothing may be sent for a canceled request (MCP, cancellation), so the user is told what continues.
        if Task.isCancelled {
            let reason = messages.notes.isEmpty ? "" : ": " + messages.notes.joined(separator: "; ")
            context.diagnostics.note("'\(tool.name)' was canceled\(reason)")
        }
        return object { result?.write(to: &$0) }
    }

    /// Sends the progress of a call, at most once per interval.
    private func reportProgress(of messages: MCPMessages, _ token: [UInt8]) async throws(VTError) {
        let clock = context.world.clock
        var count = 0
        while true {
            let text = try await messages.nextProgress()
            count += 1
            try await output.notify("notifications/progress") { [count] writer in
                writer.member("progressToken", json: token)
                writer.member("progress", count)
                writer.member("message", text)
            }
            try await clock.pause(for: Self.progressInterval)
        }
    }

    /// Notifies the client of changes of resources until it cancels the request (MCP 2026-07-28).
    private func listen(_ message: MCPMessage, _ id: [UInt8]) async throws(MCPFailure) -> [UInt8] {
        guard let filter = message.params.object("notifications") else {
            throw MCPFailure(.invalidParams, "'notifications' is missing")
        }
        let watched = await resources.watchable(filter.strings("resourceSubscriptions") ?? [])
        let addresses = watched.map(\.address)
        let output = output
        do throws(VTError) {
            try await output.notify("notifications/subscriptions/acknowledged", in: id) { writer in
                writer.object("notifications") {
                    if !addresses.isEmpty { $0.member("resourceSubscriptions", addresses) }
                }
            }
            try await resources.watch(watched) { address throws(VTError) in
                try await output.notify("notifications/resources/updated", in: id) { $0.member("uri", address) }
            }
        } catch {
            // The client has canceled the request, or has gone.
        }
        return JSONWriter.object { writer in
            writer.member("resultType", "complete")
            writer.object("_meta") { writer in
                writer.member(Self.serverKey, json: Self.server)
                writer.member(MCPOutput.subscription, json: id)
            }
        }
    }
}
