import Core
import NIOCore
import NIOPosix
import Runtime
import System

/// The socket on which the commands of the same user reach a server.
struct ControlListener {
    private let path: String
    private let identity: FileIdentity?
    private let socket: CInt

    /// Listens at the path, and replaces the socket of a server that has ended.
    ///
    /// - Throws: `busy` when another server is running; `cannot-create`; `config` when other users can change the
    ///   directory.
    init(at path: String) throws(VTError) {
        self.path = path
        try TrustedPath.make(directory: FileContents.directory(of: path))
        let socket = try FileLock(at: "\(path).lock").hold { () throws(VTError) in
            if try Self.isServed(path) {
                throw VTError(.busy, "another 'vt serve' is running", hint: "to make a link, use 'vt share SESSION'")
            }
            FileIdentity(at: path)?.remove(at: path)
            return try UnixSocket.listen(at: path, backlog: 16)
        }
        identity = FileIdentity(at: path)
        self.socket = socket.release()
    }

    private static func isServed(_ path: String) throws(VTError) -> Bool {
        do throws(VTError) {
            _ = try UnixSocket.connect(to: path)
            return true
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }

    func remove() {
        identity?.remove(at: path)
    }

    /// Accepts connections from processes of the same user.
    func listen(
        _ site: any WebSite,
        _ gate: Gate,
        _ executor: LoopExecutor,
        on eventLoop: any EventLoop
    ) async throws(VTError) -> any Channel {
        let bootstrap = ServerBootstrap(group: eventLoop)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    gate.connections.add(channel, as: .command)
                    let connection = try ControlConnection(channel)
                    Task(executorPreference: executor) {
                        await site.control(over: connection)
                        await connection.close()
                    }
                }
            }
        do {
            return try await bootstrap.withBoundSocket(socket).get()
        } catch {
            throw VTError(.cannotCreate, "cannot listen on '\(path)'", causes: [error.causeText])
        }
    }
}
