import Core
import Glibc
import Runtime
import System

/// The directory with the sockets of the processes that keep shared connections, which it starts.
package struct MuxDirectory: Sendable {
    private let path: String
    /// The path of vt.
    private let program: String
    /// See `PlanCoding.encode`.
    private let context: String
    /// The environment of this process, as `NAME=VALUE`.
    let environment: [ByteString]

    /// How long a command should wait for another one that is starting a mux server.
    private static let lockTimeout = Duration.seconds(2)
    private static let lockName = "lock"
    /// The environment variables that a mux server inherits: those that determine the directories of vt's files.
    private static let inheritedVariables: Set = ["HOME", "PATH", "VT_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"]
    /// The length of the queue for commands that the mux server has not accepted yet.
    private static let backlog: CInt = 512

    /// `program` is the path of vt, and `environment` that of this process; different versions of vt do not share
    /// connections.
    package init(path: String, program: String, version: String, environment: Environment) {
        self.path = path
        self.program = program
        self.environment = environment.words
        // The directory might be shared by several machines, and by namespaces in which the same address or file name
        // refers to something else.
        context = "\(version) \(LinuxProcess.hostName) \(Self.namespaces) \(path)"
    }

    /// Identifies the network and mount namespaces (namespaces(7)): `net:[NUMBER] mnt:[NUMBER]`; a different text at
    /// each call if they cannot be determined.
    private static var namespaces: String {
        let links = ["net", "mnt"].map { FileContents.link(at: "/proc/self/ns/\($0)") ?? RandomIdentifier.make() }
        return links.joined(separator: " ")
    }

    // MARK: - Sockets

    /// Identifies the connection of a plan.
    func key(of plan: SSHPlan) -> [UInt8] {
        PlanCoding.encode(plan, context: context, environment: environment)
    }

    /// The socket of a connection's mux server with this number, starting at 0; more than one mux server is needed if
    /// the server limits the number of channels per connection.
    func socket(of key: [UInt8], number: Int) -> String {
        "\(path)/\(PlanCoding.hash(key)).\(number)"
    }

    /// The sockets of all mux servers, including those that no longer exist.
    func sockets() throws(VTError) -> [String] {
        try DirectoryListing.names(in: path).filter { $0 != Self.lockName }.sorted().map { "\(path)/\($0)" }
    }

    /// Removes the socket of a mux server that does not answer, so that the next command starts another one.
    func discard(_ path: String, _ identity: FileIdentity?) {
        // The socket stays until the next attempt if the directory cannot be locked.
        try? change { () throws(VTError) in identity?.remove(at: path) }
    }

    /// Runs `body` while no other command changes the directory, which is created if necessary.
    ///
    /// - Throws: `cannot-create`; `config` when other users can change the directory; `busy`, without waiting, when
    ///   another command is changing it; errors of `body`.
    private func change<Result: ~Copyable>(_ body: () throws(VTError) -> Result) throws(VTError) -> Result {
        try TrustedPath.make(directory: path)
        return try FileLock(at: "\(path)/\(Self.lockName)", timeout: .zero).hold(body)
    }

    // MARK: - Mux servers

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
    func connection(
        to path: String,
        startsMuxServer: Bool,
        on clock: LoopClock
    ) async throws(VTError) -> Connection? {
        do throws(VTError) {
            return try await FileLock.retry(within: Self.lockTimeout, on: clock) { () throws(VTError) in
                try connect(to: path, startsMuxServer: startsMuxServer)
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
            return try change { () throws(VTError) in try connectOrStart(at: path) }
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
