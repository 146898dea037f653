import TestSupport

/// A TCP server on loopback, or one on a Unix domain socket, as the target of forwarded connections.
struct PeerServer: Sendable {
    /// What the server does with each connection.
    enum Behavior: String {
        /// Reads up to the end, and then sends everything back.
        case returning
        /// Sends 1 MiB and ends its direction, and then reads up to the end.
        case sending
        /// Reads a byte, and resets the connection.
        case resetting
    }

    let port: UInt16
    private let program: RunningProgram

    /// The number of bytes that `sending` sends.
    static let sentBytes = 1 << 20

    init(_ behavior: Behavior, socket: String = "") async throws {
        program = try ProgramCall("python3", ["-c", Self.script, behavior.rawValue, socket]).start()
        let line = try await program.output.read(until: "\n")
        guard let port = UInt16(line.dropLast()) else { throw FixtureError("no port: \(line)") }
        self.port = port
    }

    /// Writes the port, or 0 for a socket.
    ///
    /// At the end of each connection, `sending` writes the number of bytes that it has read.
    private static let script = """
        import socket, struct, sys, threading
        behavior, path = sys.argv[1:3]
        listener = socket.socket(socket.AF_UNIX if path else socket.AF_INET)
        listener.bind(path or ('127.0.0.1', 0))
        listener.listen(512)
        print(0 if path else listener.getsockname()[1], flush=True)
        def read(peer):
            parts = []
            while part := peer.recv(65536): parts.append(part)
            return b''.join(parts)
        def serve(peer):
            if behavior == 'returning':
                peer.sendall(read(peer))
            elif behavior == 'sending':
                peer.sendall(bytes(1 << 20))
                peer.shutdown(socket.SHUT_WR)
                print(len(read(peer)), flush=True)
            else:
                peer.recv(1)
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
            peer.close()
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """

    /// Waits for the next connection to `sending` to end, and returns the number of bytes received on it.
    func receivedCount() async throws -> Int? {
        Int(try await program.output.read(until: "\n").dropLast())
    }
}
