import Core

/// A message between a command and the process that keeps a shared connection (`MuxServer`).
///
/// On the wire, a frame is a four-byte length that does not count itself, a byte for the kind, and the payload, in the
/// data types of RFC 4251 §5. Both sides are the same version of vt, because the version is part of the connection's
/// key; a frame that cannot be decoded is therefore an error.
enum MuxFrame: Equatable, Sendable {
    // MARK: To the mux server

    /// The first frame: which connection is wanted.
    case hello(MuxHello)
    /// The answer to `wantsSecret` or `asks`.
    case secret(Secret?)
    /// Requests a channel; nothing runs until `run`.
    case open
    /// Runs a program on the open channel.
    case run(ExecRequest)
    /// Input for the program.
    case input([UInt8])
    case inputEnd
    case resize(TerminalSize)
    /// Sends the program a signal.
    case signal(SignalName)
    case ping
    /// Requests a report, without using the connection.
    case status
    /// Requests that the connection be closed as soon as no command uses it.
    case close

    // MARK: To the command

    /// The connection is being established.
    case connecting
    case step(name: String, ConnectionStep)
    case note(String)
    /// Requests a secret of the server at this depth: 0 for the target, 1 for its jump host, and so on.
    case wantsSecret(SecretKey.Purpose, depth: UInt8)
    /// Asks the user of the command.
    case asks(Prompt)
    /// The connection is established.
    case ready(processID: Int32)
    /// This mux server cannot be used: its connection is lost, or the files that it depends on have changed.
    case stale
    /// The connection cannot be established, or the request failed.
    case failed(VTError)
    case opened
    /// The server allows no further channel on this connection.
    case full
    case output([UInt8])
    case errorOutput([UInt8])
    /// The mux server accepts this many further bytes of input.
    case credit(UInt32)
    case exited(ExitStatus)
    case pong
    case report(SharedConnection)

    /// The maximum length of a frame, including its kind.
    static let limitBytes = 4 << 20
    /// The maximum number of bytes of a stream in one frame.
    static let chunkBytes = 64 << 10
    /// How many bytes of input a command may send before the first `credit`.
    static let inputWindowBytes = 256 << 10
}

/// What a command tells the mux server about the connection that it wants.
struct MuxHello: Equatable, Sendable {
    /// The encoded plan (`PlanCoding`), which identifies the connection.
    var key: [UInt8]
    /// The digest of the secrets (`MuxSecrets`).
    ///
    /// It is not part of the key, from which the name of the socket is derived.
    var secretsDigest: [UInt8]
    var connectTimeout: Duration
    var idleTimeout: Duration
    /// How many times the command asks its user for a password; 0 if it asks nothing.
    var promptLimit: UInt32
    /// The environment for proxy commands, as `NAME=VALUE`; empty if there is none.
    var environment: [ByteString]
}
