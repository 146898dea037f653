import Core
import Runtime

/// A program on a shared connection that keeps running between the commands that use it, one at a time.
struct KeptProgram: Sendable {
    let request: ExecRequest
    private let input = BytePipe()
    private let output = BytePipe()
    private let errorOutput = BytePipe()
    private let running: Task<Result<ExitStatus, VTError>, Never>

    /// Serves a command with a program that an earlier command has left, or with a new one on the open channel.
    static func run(
        _ request: ExecRequest,
        on id: ChannelID,
        of connection: MuxConnection,
        _ mailbox: MuxMailbox,
        executor: LoopExecutor
    ) async -> MuxFrame {
        let program: KeptProgram
        if let kept = await connection.takeKept(request) {
            await connection.putBack(id)
            program = kept
        } else {
            let observer = mailbox.channel.observer
            program = KeptProgram(request, on: executor) { streams async throws(VTError) in
                try await connection.run(request, streams: streams, on: id, observer: observer)
            }
        }
        switch await program.serve(mailbox) {
        case .kept:
            await connection.keep(program)
            return .exited(.exited(0))
        case .abandoned:
            await program.stop()
            return .failed(.cancelled)
        case .ended(.success(let status)): return .exited(status)
        case .ended(.failure(let error)): return .failed(error)
        }
    }

    /// What happens to the program when a command no longer uses it.
    private enum Outcome {
        /// The command has ended its input: the program is ready for the next one.
        case kept
        /// The command was interrupted, so that the state of the program is unknown.
        case abandoned
        case ended(Result<ExitStatus, VTError>)
    }

    /// Starts the program with `run`.
    private init(
        _ request: ExecRequest,
        on executor: LoopExecutor,
        _ run: @escaping @Sendable (ProgramStreams) async throws(VTError) -> ExitStatus
    ) {
        self.request = request
        let (input, output, errorOutput) = (input, output, errorOutput)
        let streams = ProgramStreams(input: input, output: output, errorOutput: errorOutput)
        running = Task(executorPreference: executor) {
            let result: Result<ExitStatus, VTError>
            do throws(VTError) {
                result = .success(try await run(streams))
            } catch {
                result = .failure(error)
            }
            for pipe in [input, output, errorOutput] { pipe.end() }
            return result
        }
    }

    var hasEnded: Bool { output.hasEnded }

    /// Closes the program's channel, which ends its input.
    func stop() async {
        running.cancel()
        _ = await running.value
    }

    /// Connects the program to a command until the command has ended its input, or the program has ended.
    private func serve(_ mailbox: MuxMailbox) async -> Outcome {
        let channel = mailbox.channel
        let outcome: Outcome? = try? await firstResult { tasks in
            tasks.add { () async throws(VTError) in
                while let bytes = try? await mailbox.read() { try? await input.write(bytes) }
                return mailbox.hasInputEnded ? .kept : .abandoned
            }
            tasks.add { () async throws(VTError) in
                // A pipe ends with its program; otherwise, the task was canceled.
                while let bytes = try? await output.read() { await channel.sendOutput(bytes, isError: false) }
                return Task.isCancelled ? nil : .ended(await running.value)
            }
            tasks.add { () async throws(VTError) in
                while let bytes = try? await errorOutput.read() { await channel.sendOutput(bytes, isError: true) }
                return nil
            }
        }
        return outcome ?? .abandoned
    }
}
