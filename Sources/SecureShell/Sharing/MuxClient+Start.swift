import Core
import Glibc
import Runtime
import System

/// Starts the processes that keep shared connections.
extension MuxClient {
    /// The environment variables that a mux server inherits: those that determine the directories of vt's files, and
    /// one set by tests.
    private static let inheritedVariables: Set<String> = {
        var names: Set = ["HOME", "PATH", "VT_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"]
        #if DEBUG
            names.insert("VT_FIXTURE")
        #endif
        return names
    }()
    /// The length of the queue for commands that the mux server has not accepted yet.
    private static let backlog: CInt = 512

    /// A connection to a mux server.
    struct Connection: ~Copyable {
        let socket: FileDescriptor
        /// Whether the mux server was started for this connection.
        let isNew: Bool

        /// Gives up ownership of the socket.
        consuming func release() -> FileDescriptor { socket }
    }

    /// Connects to the mux server at a path, which is started if there is none; nil if it cannot be started or is
    /// overloaded, or if another command does not finish starting it.
    ///
    /// - Throws: `config` when other users own or can change the directory.
    func connection(to path: String, startsMuxServer: Bool) async throws(VTError) -> Connection? {
        do throws(VTError) {
            return try await FileLock.retry(within: MuxDirectory.lockTimeout, on: LoopClock(executor)) {
                () throws(VTError) in try connect(to: path, startsMuxServer: startsMuxServer)
            }
        } catch {
            guard error.code == .busy else { throw error }
            return nil
        }
    }

    /// The path exists before the mux server runs, so that commands that start at the same time share one mux server.
    ///
    /// - Throws: `config`; `busy`, without waiting, when another command is changing the directory.
    private func connect(to path: String, startsMuxServer: Bool) throws(VTError) -> Connection? {
        do throws(VTError) {
            return Connection(socket: try UnixSocket.connect(to: path), isNew: false)
        } catch {
            guard startsMuxServer, error.code == .notFound else { return nil }
        }
        // Sharing is an optimization: without a mux server, the command uses a separate connection.
        do throws(VTError) {
            return try directory.change { () throws(VTError) in try connectOrStart(at: path) }
        } catch {
            if error.code == .config || error.code == .busy { throw error }
            return nil
        }
    }

    private func connectOrStart(at path: String) throws(VTError) -> Connection {
        if let socket = try? UnixSocket.connect(to: path) { return Connection(socket: socket, isNew: false) }
        unsafe unlink(path)
        let listener = try UnixSocket.listen(at: path, backlog: Self.backlog)
        do throws(VTError) {
            try start(with: listener, at: path)
            return Connection(socket: try UnixSocket.connect(to: path), isNew: true)
        } catch {
            unsafe unlink(path)
            throw error
        }
    }

    /// Removes the socket of a mux server that does not answer, so that the next command starts another one.
    func discard(_ path: String, _ identity: FileIdentity?) {
        // The socket stays until the next attempt if the directory cannot be locked.
        try? directory.change { () throws(VTError) in identity?.remove(at: path) }
    }

    /// Starts the mux server in its own session, without this process's descriptors, working directory or environment.
    private func start(with listener: borrowing FileDescriptor, at path: String) throws(VTError) {
        var plan = SpawnPlan(
            arguments: [ByteString(program), MuxServer.verb, ByteString(path)],
            environment: environment.filter { word in
                let name = word.bytes.prefix { $0 != UInt8(ascii: "=") }
                return Self.inheritedVariables.contains(String(decoding: name, as: UTF8.self))
            },
            directory: "/"
        )
        plan.creationMask = 0o077
        let null = try FileDescriptor.open("/dev/null", O_RDWR)
        let streams = SpawnPlan.Streams.descriptors(
            input: listener.number,
            output: null.number,
            errorOutput: null.number
        )
        _ = try ChildProcess.spawn(plan, on: streams)
    }
}
