import CLinux
import Core
import Glibc

/// Unix domain stream sockets.
package enum UnixSocket {
    /// The maximum path length in an address, without its NUL (unix(7)).
    private static let pathLimitBytes = 107

    /// Creates a non-blocking socket of mode 0600 at an unused path, and listens on it.
    ///
    /// Changes the umask temporarily, so no other thread may create files during the call. The corresponding C
    /// functions are `bind` and `listen`.
    package static func listen(at path: String, backlog: CInt) throws(VTError) -> FileDescriptor {
        let socket = try make()
        let former = umask(0o177)
        defer { umask(former) }
        let failure = try unsafe withAddress(path) { unsafe bind(socket.number, $0, $1) }
        guard failure == 0, Glibc.listen(socket.number, backlog) == 0 else {
            throw .system(failure == 0 ? errno : failure, "cannot listen on '\(path)'", fallback: .cannotCreate)
        }
        _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
        return socket
    }

    /// Connects to the socket at the path, blocking for at most `timeout` while the socket's queue is full.
    ///
    /// The corresponding C function is `connect`, with SO_SNDTIMEO as the limit (socket(7)): `poll` cannot wait for
    /// space in the queue of a Unix domain socket.
    ///
    /// - Throws: `not-found` when no process is listening, `config` when another user's process is listening, and
    ///   `timed-out`.
    package static func connect(to path: String, timeout: Duration = .zero) throws(VTError) -> FileDescriptor {
        let socket = try make()
        let waits = timeout > .zero
        // Without a timeout the call must not block, but a send timeout of zero would mean no limit.
        if !waits { _ = fcntl(socket.number, F_SETFL, O_NONBLOCK) }
        let failure = try connect(socket, to: path, timeout: timeout)
        switch failure {
        case 0: try checkPeer(of: socket.number, at: path)
        case ECONNREFUSED: throw VTError(.notFound, "no process is listening on '\(path)'")
        case EAGAIN:
            throw VTError(.timedOut, "cannot connect to '\(path)': its process does not accept the connection")
        default: throw .system(failure, "cannot connect to '\(path)'")
        }
        if waits { try limitSending(socket.number, to: .zero, path) }
        if !waits { _ = fcntl(socket.number, F_SETFL, 0) }
        return socket
    }

    /// Connects a socket to a path, whichever user's process is listening there; returns 0 or the errno.
    ///
    /// Blocks for at most `timeout`, unless it is zero, and so do later calls of `send`.
    package static func connect(
        _ socket: borrowing FileDescriptor,
        to path: String,
        timeout: Duration
    ) throws(VTError) -> CInt {
        if timeout > .zero { try limitSending(socket.number, to: timeout, path) }
        let number = socket.number
        return try unsafe withAddress(path) { unsafe Glibc.connect(number, $0, $1) }
    }

    /// Limits how long `connect` and `send` block; zero means no limit.
    private static func limitSending(_ socket: CInt, to limit: Duration, _ path: String) throws(VTError) {
        let (seconds, attoseconds) = limit.components
        var time = timeval(tv_sec: time_t(seconds), tv_usec: suseconds_t(attoseconds / 1_000_000_000_000))
        let size = socklen_t(MemoryLayout<timeval>.size)
        guard unsafe setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, size) == 0 else {
            throw .system(errno, "cannot connect to '\(path)'", fallback: .system)
        }
    }

    /// The result of accepting a connection.
    package enum Incoming: ~Copyable {
        case connection(FileDescriptor)
        /// The connection came from another user and was closed.
        case refused
        /// An errno: EAGAIN if no connection is pending.
        case failure(CInt)
    }

    /// Accepts the next connection without blocking; rejects connections from other users.
    ///
    /// The corresponding C functions are `accept4` and `getsockopt` with SO_PEERCRED.
    package static func accept(_ socket: CInt) -> Incoming {
        var number: CInt = -1
        let failure = unsafe clinux_accept(socket, &number)
        guard failure == 0 else { return .failure(failure) }
        let connection = FileDescriptor(owning: number)
        var user = uid_t.max
        guard unsafe clinux_peer(number, &user) == 0, user == geteuid() else { return .refused }
        return .connection(connection)
    }

    /// Checks the peer's user before anything is written, because the data might be a password.
    ///
    /// The corresponding C function is `getsockopt` with SO_PEERCRED.
    private static func checkPeer(of socket: CInt, at path: String) throws(VTError) {
        var user = uid_t.max
        let failure = unsafe clinux_peer(socket, &user)
        guard failure == 0, user == geteuid() else {
            throw VTError(
                .config,
                "the process listening on '\(path)' belongs to another user (uid \(user))",
                hint: "to see the owner, run: ls -l \(ByteString(path).shellQuoted.repairedText)"
            )
        }
    }

    /// Creates a socket.
    package static func make() throws(VTError) -> FileDescriptor {
        let number = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        guard number >= 0 else { throw .system(errno, "cannot create a socket", fallback: .system) }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return FileDescriptor(owning: number)
    }

    /// Passes the address of the path to a call; returns 0 or its errno.
    ///
    /// For a path that is too long, its directory is opened and referred to through `/proc/self/fd`.
    private static func withAddress(
        _ path: String,
        _ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws(VTError) -> CInt {
        guard path.utf8.count > pathLimitBytes else { return unsafe callWith(path, call) }
        let directory = try FileDescriptor.open(FileContents.directory(of: path), O_RDONLY | O_DIRECTORY)
        let name = path.split(separator: "/").last ?? ""
        return unsafe callWith("/proc/self/fd/\(directory.number)/\(name)", call)
    }

    private static func callWith(_ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        guard path.utf8.count <= pathLimitBytes else { return ENAMETOOLONG }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        return unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                while true {
                    if unsafe call(address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 { return 0 }
                    guard errno == EINTR else { return errno }
                }
            }
        }
    }
}
