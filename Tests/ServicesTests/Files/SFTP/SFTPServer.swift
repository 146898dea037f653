import Core
import Runtime

@testable import Services

/// OpenSSH's SFTP server, run on this machine without SSH.
enum SFTPServer {
    static let program: ByteString = "/usr/lib/openssh/sftp-server"

    /// Passes the server's files to `body`.
    static func withFiles(_ body: (SFTPFileSystem) async throws -> Void) async throws {
        let client = SFTPClient(name: "test")
        let machine = LocalMachine(shell: "/bin/sh", environment: [], poller: try DescriptorPoller())
        let server = Task {
            let streams = ProgramStreams(input: client, output: client, errorOutput: BoundedSink(limitBytes: 4096))
            do throws(VTError) {
                _ = try await machine.run(ExecRequest(.arguments([program])), streams: streams)
                client.end(VTError(.hostUnreachable, "the server has ended"))
            } catch {
                client.end(error)
            }
        }
        defer { server.cancel() }
        try await body(SFTPFileSystem(client))
    }

    /// Passes the files of three sessions to `body`.
    static func withSessions(_ body: (ParallelFileSystem) async throws -> Void) async throws {
        try await withFiles { first in
            try await withFiles { second in
                try await withFiles { third in
                    let files = ParallelFileSystem(first)
                    for session in [second, third] { _ = try await session.absolutePath(of: ".") }
                    files.add([second, third], areAdditional: false)
                    try await body(files)
                }
            }
        }
    }
}
