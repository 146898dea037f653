import Core

/// A server connected over SSH, with its proxy command, if any.
final class RemoteSSHHost: RemoteHost {
    let connection: SSHConnection
    private let proxy: ProxyCommand?

    init(connection: SSHConnection, proxy: ProxyCommand?) {
        self.connection = connection
        self.proxy = proxy
    }

    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        try await connection.run(request, streams: streams)
    }

    var forwarder: (any ConnectionForwarder)? { connection }

    func close() async {
        await connection.stopListening()
        await connection.close()
        proxy?.stop()
    }
}
