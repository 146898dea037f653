import Core
import Glibc

extension ChildProcess {
    /// The output and exit status of a program.
    package struct Capture: Sendable {
        package var status: ExitStatus
        /// Standard output, up to the limit.
        package var output: [UInt8]
    }

    /// The maximum output that `capture` returns by default.
    package static let captureLimit = 1 << 20

    /// Runs a program until it exits, with `input` as standard input, and captures the first `limit` bytes of its
    /// standard output; the rest is read and discarded.
    ///
    /// The program's standard error is the descriptor `errorOutput`, by default the standard error of this process. The
    /// program is killed if the task is canceled.
    ///
    /// - Throws: `VTError.cancelled` when the task is canceled; errors thrown by `spawn`.
    package static func capture(
        _ plan: SpawnPlan,
        input: [UInt8] = [],
        errorOutput: CInt = 2,
        limit: Int = captureLimit
    ) async throws(VTError) -> Capture {
        let toProgram = try DescriptorPair.pipe()
        let fromProgram = try DescriptorPair.pipe()
        let child = try spawn(
            plan,
            on: .descriptors(
                input: toProgram.first.number,
                output: fromProgram.second.number,
                errorOutput: errorOutput
            )
        )
        let writer = toProgram.releaseSecond()
        let reader = fromProgram.releaseFirst()
        return try await child.collect(from: reader, feeding: input, to: writer, limit)
    }

    private func collect(
        from reader: CInt,
        feeding input: [UInt8],
        to writer: CInt,
        _ limit: Int
    ) async throws(VTError) -> Capture {
        let child = self
        let output = await withTaskCancellationHandler {
            await Result { () async throws(VTError) in
                try await Self.exchange(from: reader, feeding: input, to: writer, limit)
            }
        } onCancel: {
            child.signal(SIGKILL)
        }
        if case .failure = output { child.signal(SIGKILL) }
        let status = try await child.wait()
        if Task.isCancelled { throw .cancelled }
        return Capture(status: status, output: try output.get())
    }

    private static func exchange(
        from reader: CInt,
        feeding input: [UInt8],
        to writer: CInt,
        _ limit: Int
    ) async throws(VTError) -> [UInt8] {
        defer { close(reader) }
        try startWriting(input, to: writer)
        return try await onOwnThread { () throws(VTError) in try Self.readAll(reader, limit) }
    }

    private static func startWriting(_ input: [UInt8], to writer: CInt) throws(VTError) {
        do throws(VTError) {
            try startThread {
                // A program need not read its input; EPIPE is not a failure.
                SignalThread.block(SIGPIPE)
                _ = BlockingIO.write(writer, input)
                close(writer)
            }
        } catch {
            close(writer)
            throw error
        }
    }

    private static func readAll(_ descriptor: CInt, _ limit: Int) throws(VTError) -> [UInt8] {
        var output: [UInt8] = []
        while true {
            let bytes = try BlockingIO.read(descriptor, limit: 65_536)
            if bytes.isEmpty { return output }
            output += bytes.prefix(limit - output.count)
        }
    }
}
