import Core
import CoreTestSupport
import Foundation
import Runtime
import Services
import TestSupport
import Testing

struct LocalMachineTests {
    /// Repeated because the end of the output and the cancellation can arrive in either order.
    @Test(.serialized, arguments: 1...20)
    func `a canceled run fails even if the program has closed its output`(_ attempt: Int) async throws {
        let scratch = try ScratchDirectory()
        let ready = scratch.path("ready")
        let poller = try DescriptorPoller()
        let machine = LocalMachine(shell: "/bin/sh", environment: ["PATH=/usr/bin:/bin"], poller: poller)
        let run = Task {
            let sink = BoundedSink(limitBytes: 4096)
            let streams = ProgramStreams(input: BytesSource(), output: sink, errorOutput: sink)
            let line = "exec >&- 2>&-; >\(ready); exec sleep inf"
            return try await machine.run(ExecRequest(.shellLine(ByteString(line))), streams: streams)
        }
        #expect(await eventually { FileManager.default.fileExists(atPath: ready) })
        run.cancel()
        #expect(try await failure { _ = try await run.value } == .cancelled)
    }
}
