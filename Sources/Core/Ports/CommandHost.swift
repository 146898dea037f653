/// A machine that runs programs: this one, or a server.
package protocol CommandHost: Sendable {
    /// Runs a program until it exits.
    ///
    /// On return, the sinks have accepted all of the program's output. If the task is canceled, the program's streams
    /// are closed and, where possible, the program is sent TERM.
    ///
    /// - Throws: `host.unreachable` when the connection was lost, `protocol` when the peer violated the protocol,
    ///   `system` when the program cannot be started; also errors thrown by the source and the sinks.
    ///   Unless the error says otherwise (`VTError.program`), the program might be running.
    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus
}

/// Calls `body`, after whose failure a program has not been started.
package func beforeStart<Result>(_ body: () async throws(VTError) -> Result) async throws(VTError) -> Result {
    do throws(VTError) {
        return try await body()
    } catch {
        throw error.leaving(.notStarted)
    }
}

/// The standard streams of a program, as the caller provides them.
package struct ProgramStreams: Sendable {
    /// Read as the program's standard input, which is closed when the source ends.
    package var input: any ByteSource
    /// Receives standard output, or all output if the program has a terminal.
    package var output: any ByteSink
    package var errorOutput: any ByteSink
    /// The sizes to which the program's terminal is resized, in order.
    package var sizes: AsyncStream<TerminalSize>?
    /// The signals to send to the program, in order, where server and library support that (RFC 4254 §6.9); nil if none
    /// are sent.
    package var signals: AsyncStream<SignalName>?

    package init(
        input: any ByteSource,
        output: any ByteSink,
        errorOutput: any ByteSink,
        sizes: AsyncStream<TerminalSize>? = nil,
        signals: AsyncStream<SignalName>? = nil
    ) {
        self.input = input
        self.output = output
        self.errorOutput = errorOutput
        self.sizes = sizes
        self.signals = signals
    }
}
