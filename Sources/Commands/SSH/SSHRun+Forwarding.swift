import Core
import Runtime
import Services
import System

/// Forwarding, which uses a separate connection to the server.
extension SSHRun {
    /// Connects standard input and output to an address, through the server.
    func connect(to address: ForwardAddress) async throws(VTError) -> UInt8 {
        let (queue, stream) = (context.queues.output(), context.console.output)
        try await ForwardService(context.world).connect(
            plan,
            to: address,
            input: options.readsNoInput == true ? BytesSource() : context.console.input.source(),
            output: queue
        ) { () async throws(VTError) in
            // The peer must learn of the end even if the command continues.
            try await queue.finish()
            try stream.close()
            StandardStream.occupyClosed()
        }
        return 0
    }

    /// Runs the program, if there is one, while the forwards are open.
    func runForwarding() async throws(VTError) -> ExitStatus {
        let service = ForwardService(context.world)
        let whenReady = { @Sendable () async throws(VTError) in
            try await begin()
            guard options.continuesInBackground == true else { return }
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
