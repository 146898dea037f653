import Core
import Glibc
import Runtime
import System

/// This machine as a host for programs, which run as if started by a server's SSH daemon.
///
/// A program gets its own pipes or terminal, never vt's, and its own session, so that a command behaves the same on
/// this machine and on servers. Unless the request specifies a directory, the program starts in the current one.
package struct LocalMachine: CommandHost {
    private let shell: String
    private let environment: [ByteString]
    private let poller: DescriptorPoller

    /// How long a program may take to exit after TERM before it is killed.
    private static let grace = Duration.seconds(2)

    /// Programs inherit `environment`, whose words are `NAME=VALUE`.
    ///
    /// `shell` interprets shell lines; `poller` waits for the programs' streams.
    package init(shell: String, environment: [ByteString], poller: DescriptorPoller) {
        self.shell = shell
        self.environment = environment
        self.poller = poller
    }

    package func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        if let terminal = request.terminal {
            let (master, slave) = try DescriptorPair.terminal(terminal.size).release()
            let control = FileDescriptor(owning: dup(master))
            let child = try spawn(request, on: .terminal(slave), lending: [slave], orClose: [master])
            return try await exchange(
                with: child,
                streams: streams,
                input: PolledOutput(owning: dup(master), name: "to the program", poller: poller),
                outputs: [(PolledInput(owning: master, poller: poller), streams.output)],
                terminal: control.number
            )
        }
        let (childInput, input) = try DescriptorPair.pipe().release()
        let (output, childOutput) = try DescriptorPair.pipe().release()
        let (errors, childErrors) = try DescriptorPair.pipe().release()
        let child = try spawn(
            request,
            on: .descriptors(input: childInput, output: childOutput, errorOutput: childErrors),
            lending: [childInput, childOutput, childErrors],
            orClose: [input, output, errors]
        )
        return try await exchange(
            with: child,
            streams: streams,
            input: PolledOutput(owning: input, name: "to the program", poller: poller),
            outputs: [
                (PolledInput(owning: output, poller: poller), streams.output),
                (PolledInput(owning: errors, poller: poller), streams.errorOutput),
            ],
            terminal: nil
        )
    }

    // MARK: - Start

    /// Starts the program and closes `lent`, the program's ends of the pipes, so that the end of its output can be
    /// detected.
    ///
    /// Closes `descriptors` if the program cannot be started.
    private func spawn(
        _ request: ExecRequest,
        on streams: SpawnPlan.Streams,
        lending lent: [CInt],
        orClose descriptors: [CInt]
    ) throws(VTError) -> ChildProcess {
        defer { for descriptor in lent { close(descriptor) } }
        do throws(VTError) {
            return try ChildProcess.spawn(
                try SpawnPlan(for: request, shell: shell, inheriting: environment),
                on: streams
            )
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error.leaving(.notStarted)
        }
    }

    // MARK: - Run

    /// Transfers data until the program has exited and its output has been closed by all processes.
    private func exchange(
        with child: ChildProcess,
        streams: ProgramStreams,
        input: PolledOutput,
        outputs: [(PolledInput, any ByteSink)],
        terminal: CInt?
    ) async throws(VTError) -> ExitStatus {
        defer { input.end() }
        let result = await withTaskCancellationHandler {
            await withTaskGroup(of: Result<ExitStatus?, VTError>.self) { group in
                group.addTask {
                    await Result { () async throws(VTError) in
                        try await Self.feed(streams.input, to: input)
                        return nil
                    }
                }
                if let sizes = streams.sizes, let terminal {
                    group.addTask {
                        for await size in sizes { TerminalControl.resize(terminal, to: size) }
                        return .success(nil)
                    }
                }
                group.addTask {
                    await Result { () async throws(VTError) in try await Self.finish(child, outputs: outputs) }
                }
                while let result = await group.next() {
                    switch result {
                    case .success(nil): continue
                    case .success, .failure:
                        group.cancelAll()
                        if case .failure = result { Self.end(child) }
                        return result
                    }
                }
                return .failure(.cancelled)
            }
        } onCancel: {
            Self.end(child)
        }
        // The status of a program that the cancellation has ended is not a result.
        guard let status = try result.get(), !Task.isCancelled else { throw .cancelled }
        return status
    }

    /// Passes on the output until it ends, and returns the status of the program, which is ended if that fails.
    private static func finish(
        _ child: ChildProcess,
        outputs: [(PolledInput, any ByteSink)]
    ) async throws(VTError) -> ExitStatus {
        let failure = await withTaskGroup(of: Result<Void, VTError>.self) { group in
            for (source, sink) in outputs {
                group.addTask {
                    await Result { () async throws(VTError) in
                        while let bytes = try await source.read() { try await sink.write(bytes) }
                    }
                }
            }
            var failure: VTError?
            for await case .failure(let error) in group {
                failure = failure ?? error
                end(child)
                group.cancelAll()
            }
            return failure
        }
        let status = try await child.wait()
        if let failure { throw failure }
        return status
    }

    private static func feed(_ source: any ByteSource, to input: PolledOutput) async throws(VTError) {
        while let bytes = try await source.read() {
            do throws(VTError) {
                try await input.write(bytes)
            } catch {
                // A program may close its input without reading all of it.
                guard input.hasLostReader else { throw error }
                return
            }
        }
        input.end()
    }

    /// Terminates the program's process group: sends TERM, and KILL to survivors after the grace period.
    static func end(_ child: ChildProcess) {
        child.signal(SIGTERM)
        do throws(VTError) {
            try startThread {
                blockThread(for: grace)
                child.signal(SIGKILL)
            }
        } catch {
            child.signal(SIGKILL)
        }
    }
}

extension SpawnPlan {
    /// Plans the program of a request; `shell` interprets shell lines, and `environment` is inherited.
    init(
        for request: ExecRequest,
        shell: String = "/bin/sh",
        inheriting environment: [ByteString]
    ) throws(VTError) {
        let words: [ByteString] =
            switch request.command {
            case .arguments(let words): words
            case .shellLine(let line): [ByteString(request.shell ?? shell), "-c", line]
            case .loginShell, .subsystem:
                throw VTError(.internal, "login shells and subsystems run only on servers")
            }
        var variables = request.environment.map { ByteString("\($0.name)=\($0.value)") }
        if let terminal = request.terminal { variables.append(ByteString("TERM=\(terminal.type)")) }
        var names = variables.map { $0.bytes.prefix { $0 != UInt8(ascii: "=") } }
        names += request.removedVariables.map { Array($0.utf8)[...] }
        let inherited = environment.filter { word in
            !names.contains { word.bytes.prefix { $0 != UInt8(ascii: "=") } == $0 }
        }
        self.init(arguments: words, environment: inherited + variables, directory: request.directory)
    }
}
