import Core
import Machine
import POSIX
import SFTP

/// OpenSSH's SFTP server, run on this machine without SSH.
enum SFTPServer {
    static let program: ByteString = "/usr/lib/openssh/sftp-server"

    /// Passes the server's files to `body`.
    static func withFiles(_ body: (any FileSystem) async throws -> Void) async throws {
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
}
