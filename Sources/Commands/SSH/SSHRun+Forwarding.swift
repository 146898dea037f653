import Core
import Runtime
import Services
import System

/// Forwarding, which uses a separate connection to the server.
extension SSHRun {
    /// Connects standard input and output to an address, through the server.
    func connect(to address: ForwardAddress) async throws(VTError) -> UInt8 {
        try await context.forwardService().connect(
            plan,
            to: address,
            input: options.readsNoInput ? BytesSource() : context.console.input.source(),
            output: StandardOutputEnd(context.queues.output(), context.console.output)
        )
        return 0
    }

    /// Runs the program, if there is one, while the forwards are open.
    func runForwarding() async throws(VTError) -> ExitStatus {
        let service = context.forwardService()
        let whenReady = { @Sendable () async throws(VTError) in
            try await begin()
            guard options.continuesInBackground else { return }
            try BackgroundProgram.reportReady(keepsOutput: !options.runsNoProgram)
        }
        if options.runsNoProgram {
            try await service.forward(forwarding, over: plan, whenReady: whenReady)
            return .exited(0)
        }
        return try await withProgram { request, streams async throws(VTError) in
            try await service.run(request, streams: streams, with: forwarding, over: plan, whenReady: whenReady)
        }
    }
}

/// Standard output as the end of a connection: closed when the peer has sent everything, even if the command continues.
private struct StandardOutputEnd: EndableSink {
    private let queue: any OutputQueue
    private let stream: any StandardOutput

    /// `queue` must write to `stream`.
    init(_ queue: any OutputQueue, _ stream: any StandardOutput) {
        self.queue = queue
        self.stream = stream
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        try await queue.write(bytes)
    }

    func end() async throws(VTError) {
        try await queue.finish()
        try stream.close()
        StandardStream.occupyClosed()
    }
}
