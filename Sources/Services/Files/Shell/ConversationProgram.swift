import Core
import Runtime

/// A program on a host with which a conversation is held.
final class ConversationProgram: Sendable {
    private let conversation: any Conversation
    private let run: Task<Void, Never>

    /// The maximum number of bytes kept of the program's standard error.
    private static let messageLimitBytes = 4096

    /// Starts the program; the conversation ends when it exits, or if it cannot be started.
    init(_ request: ExecRequest, for conversation: any Conversation, on host: any CommandHost) {
        self.conversation = conversation
        // Not a child task, which would be canceled with the current one.
        run = Task.onCurrentExecutor {
            let messages = BoundedSink(limitBytes: Self.messageLimitBytes)
            let streams = ProgramStreams(input: conversation, output: conversation, errorOutput: messages)
            do throws(VTError) {
                let status = try await host.run(request, streams: streams)
                let lines = messages.text.split(whereSeparator: \.isNewline).map(String.init)
                let program = request.command == .subsystem("sftp") ? "SFTP server" : "shell"
                let what = "the \(program) of '\(conversation.name)' ended: \(status.phrase)"
                conversation.end(VTError(.protocolViolation, what, causes: lines))
            } catch {
                conversation.end(error)
            }
        }
    }

    /// Ends the conversation and the program.
    func stop() async {
        conversation.end(.cancelled)
        run.cancel()
        await run.value
    }
}
