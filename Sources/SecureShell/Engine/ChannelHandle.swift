import CGuardedSSH2
import CLibSSH2
import Core
import System

/// One channel of a session, confined to the connection's actor.
///
/// Every method makes one call, whose result follows libssh2's convention: negative values are errors, including
/// EAGAIN. A channel that is not freed explicitly is freed with its session.
@safe
final class ChannelHandle {
    /// What a channel is asked to run (RFC 4254 §6.5).
    enum Program {
        /// A line for the user's login shell.
        case line(ByteString)
        /// The login shell itself.
        case shell
        case subsystem(ByteString)
    }

    private let raw: OpaquePointer
    /// The memory of the session, which notices the exit status of a program.
    private let memory: SessionMemory
    /// This side's number of the channel; nil if the peer opened it.
    private let number: UInt32?

    /// The receive window for a program's output: the fastest size on both short and long links.
    static let windowBytes: UInt32 = 8 << 20
    /// The receive window for a tunneled connection.
    static let tunnelWindowBytes: UInt32 = 2 << 20
    /// The maximum packet size to receive; libssh2 1.10 fails on larger ones.
    static let packetBytes: UInt32 = 32_768

    /// `memory` is that of the session, which has just opened the channel unless the peer has.
    init(_ raw: OpaquePointer, in memory: SessionMemory, isOpenedByPeer: Bool = false) {
        unsafe self.raw = raw
        self.memory = memory
        number = isOpenedByPeer ? nil : memory.watchOpenedChannel()
    }

    /// Requests a pseudo-terminal (RFC 4254 §6.2); the corresponding C function is `libssh2_channel_request_pty_ex`.
    func requestTerminal(_ terminal: ExecRequest.Terminal) -> Int {
        let type = Array(terminal.type.utf8CString)
        return unsafe type.withUnsafeBufferPointer { type in
            let (columns, rows) = (CInt(terminal.size.columns), CInt(terminal.size.rows))
            return Int(
                unsafe guarded_channel_request_pty_ex(
                    memory.failed,
                    raw,
                    type.baseAddress,
                    UInt32(type.count - 1),
                    nil,
                    0,
                    columns,
                    rows,
                    0,
                    0
                )
            )
        }
    }

    /// Reports a new terminal size (RFC 4254 §6.7); the corresponding C function is
    /// `libssh2_channel_request_pty_size_ex`.
    func resize(_ size: TerminalSize) -> Int {
        Int(unsafe guarded_channel_request_pty_size_ex(memory.failed, raw, CInt(size.columns), CInt(size.rows), 0, 0))
    }

    /// Sets an environment variable (RFC 4254 §6.4); the corresponding C function is `libssh2_channel_setenv_ex`.
    func set(_ variable: EnvironmentVariable) -> Int {
        let (name, value) = (Array(variable.name.utf8CString), Array(variable.value.utf8CString))
        return unsafe name.withUnsafeBufferPointer { name in
            unsafe value.withUnsafeBufferPointer { value in
                Int(
                    unsafe guarded_channel_setenv_ex(
                        memory.failed,
                        raw,
                        name.baseAddress,
                        UInt32(name.count - 1),
                        value.baseAddress,
                        UInt32(value.count - 1)
                    )
                )
            }
        }
    }

    /// Starts a program (RFC 4254 §6.5); the corresponding C function is `libssh2_channel_process_startup`.
    func start(_ program: Program) -> Int {
        switch program {
        case .line(let line): start("exec", argument: line)
        // The request has no argument, not even an empty one.
        case .shell: Int(unsafe guarded_channel_process_startup(memory.failed, raw, "shell", 5, nil, 0))
        case .subsystem(let name): start("subsystem", argument: name)
        }
    }

    private func start(_ request: String, argument: ByteString) -> Int {
        unsafe argument.bytes.withUnsafeBytes { bytes in
            let text = unsafe bytes.bindMemory(to: CChar.self).baseAddress
            let length = UInt32(request.utf8.count)
            return Int(
                unsafe guarded_channel_process_startup(memory.failed, raw, request, length, text, UInt32(bytes.count))
            )
        }
    }

    /// Reads from stream 0 (output) or 1 (error output); the corresponding C function is `libssh2_channel_read_ex`.
    func read(stream: CInt, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        unsafe guarded_channel_read_ex(
            memory.failed,
            raw,
            stream,
            buffer.bindMemory(to: CChar.self).baseAddress,
            buffer.count
        )
    }

    /// The number of received but unread bytes of all streams.
    var unreadBytes: Int {
        var count: UInt = 0
        unsafe libssh2_channel_window_read_ex(raw, &count, nil)
        return Int(count)
    }

    /// Discards received data of all streams except output, and returns the window space to the peer.
    ///
    /// The corresponding C function is `libssh2_channel_flush_ex`.
    func discardExtendedData() -> Int {
        Int(unsafe guarded_channel_flush_ex(memory.failed, raw, LIBSSH2_CHANNEL_FLUSH_EXTENDED_DATA))
    }

    /// Discards all future data of streams other than output.
    ///
    /// The corresponding C function is `libssh2_channel_handle_extended_data2`.
    func ignoreExtendedData() -> Int {
        Int(unsafe guarded_channel_handle_extended_data2(memory.failed, raw, LIBSSH2_CHANNEL_EXTENDED_DATA_IGNORE))
    }

    /// Sends at most one packet of input; the corresponding C function is `libssh2_channel_write_ex`.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        unsafe guarded_channel_write_ex(
            memory.failed,
            raw,
            0,
            bytes.bindMemory(to: CChar.self).baseAddress,
            bytes.count
        )
    }

    /// Ends the input; the corresponding C function is `libssh2_channel_send_eof`.
    func sendEnd() -> Int {
        Int(unsafe guarded_channel_send_eof(memory.failed, raw))
    }

    /// Whether the peer has ended its output and all of it has been read.
    var isAtEnd: Bool {
        unsafe libssh2_channel_eof(raw) == 1
    }

    /// Waits for the peer to close the channel; the corresponding C function is `libssh2_channel_wait_closed`.
    func waitClosed() -> Int {
        Int(unsafe guarded_channel_wait_closed(memory.failed, raw))
    }

    /// Sends a signal to the program (RFC 4254 §6.9), if the library supports it.
    ///
    /// The corresponding C function is `libssh2_channel_signal_ex`.
    func signal(_ name: SignalName) -> Int {
        unsafe name.text.withCString {
            Int(unsafe guarded_channel_signal_ex(memory.failed, raw, $0, name.text.utf8.count))
        }
    }

    /// Closes and frees the channel, which must not be used after any result other than EAGAIN.
    ///
    /// The corresponding C function is `libssh2_channel_free`.
    func free() -> Int {
        let result = Int(unsafe guarded_channel_free(memory.failed, raw))
        if result != LIBSSH2_ERROR_EAGAIN, let number { memory.forgetChannel(number) }
        return result
    }

    /// Returns how the program ended; valid only once the peer has closed the channel.
    ///
    /// The signal is checked first, because libssh2 also reports status 0 for a program killed by a signal. It reports
    /// 0 even if the server sent neither a signal nor a status, so whether a status was received is checked, too.
    func exitStatus(in session: borrowing SessionHandle) -> ExitStatus {
        var name: UnsafeMutablePointer<CChar>?
        var length = 0
        unsafe libssh2_channel_get_exit_signal(raw, &name, &length, nil, nil, nil, nil)
        guard let name = unsafe name else {
            guard let number, memory.hasExitStatus(number) else { return .unknown }
            return .exited(UInt32(bitPattern: unsafe libssh2_channel_get_exit_status(raw)))
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: name, count: length)
        let signal = unsafe SignalName(String(decoding: bytes, as: UTF8.self))
        unsafe libssh2_free(session.raw, name)
        return .signalled(signal, coreDumped: false)
    }
}
