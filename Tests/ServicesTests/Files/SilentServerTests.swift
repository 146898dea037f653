import Core
import CoreTestSupport
import Runtime
import Services
import Testing

/// SFTP servers that stop replying while their connections remain open.
@Suite struct SilentServerTests {
    @Test(arguments: [
        (0, "the SFTP server of 'web' did not answer within 15s"),
        (2, "the SFTP server of 'web' has not answered for 2m"),
    ])
    func `a server that stops replying is given up after its limit`(replies: Int, message: String) async throws {
        let server = SilentServer(replies: replies)
        var world = World(clock: server.clock, diagnostics: RecordedNotes())
        world.connector = { _ in server }
        let files = FileService(world)
        let error = try await failure {
            try await files.withFiles(of: .remote(LocalServer.plan)) { files throws(VTError) in
                for _ in 0..<3 { _ = try await files.attributes(of: "/f", followsLinks: true) }
            }
        }
        #expect(error.code == .hostUnreachable)
        #expect(error.message == message)
    }
}

/// A server whose clock stands still until it has sent its last reply, and then skips all waits.
private final class SilentServer: Connector, RemoteHost {
    let clock = GatedClock()
    private let replies: Int

    init(replies: Int) {
        self.replies = replies
    }

    func connect(
        _ plan: ConnectionPlan,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        self
    }

    /// Replies that no file exists.
    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> Core.ExitStatus {
        var received: [UInt8] = []
        var count = 0
        while true {
            while count < replies, received.count > 4, received.count >= 4 + Int(received[3]) {
                let (version, status): ([UInt8], [UInt8]) = ([0, 0, 0, 5, 2, 0, 0, 0, 3], [0, 0, 0, 9, 101])
                let reply = count == 0 ? version : status + received[5..<9] + [0, 0, 0, 2]
                try await streams.output.write(reply)
                received.removeFirst(4 + Int(received[3]))
                count += 1
            }
            if count == replies { clock.open() }
            guard let bytes = try await streams.input.read() else { return .exited(0) }
            received += bytes
        }
    }

    func hostKey(of plan: SSHPlan, type: String) async throws(VTError) -> HostKey? { nil }

    func hostKeyTypes() -> [String] { [] }

    func close() async {}
}

/// A clock whose waits last until it is opened.
private final class GatedClock: Clock {
    private let isOpen = Monitor(false)

    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func open() { isOpen.update { $0 = true } }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await isOpen.wait { $0 ? () : nil }
        try Task.checkCancellation()
        await Task.yield()
    }
}
