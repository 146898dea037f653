/// A message between a client and the holder of a session.
///
/// On the wire, a frame is a four-byte length that does not count itself, a byte for the kind, and the payload; all
/// numbers are big-endian. Frames of unknown kinds are skipped. `hello`, `status`, `kill` and their answers are frozen:
/// every later version supports them. docs/protocol.md describes the protocol.
package enum SessionFrame: Hashable, Sendable {
    // MARK: Both directions

    /// The first frame in both directions: the protocol number, supported features, and the version of vt.
    case hello(protocolNumber: UInt16, features: UInt64, version: String)
    /// A part of the binary data of a call or of its result.
    case data([UInt8])
    /// A frame that only a page and its server exchange.
    case page(PageFrame)

    // MARK: To a relay

    /// The name and the arguments of a `SessionCall`, as a JSON object.
    case call([UInt8])

    // MARK: To the holder

    /// Requests the session's record.
    case status
    /// Kills or signals the program and all its descendants.
    ///
    /// Signal 0 means HUP and TERM, then KILL after the grace period; for any other number, only that signal is sent.
    case kill(signal: UInt8, graceMilliseconds: UInt32)
    /// Starts receiving output.
    case attach(Attachment)
    /// Input for the terminal; sequence numbers start at 1 for each client token and increase by 1.
    ///
    /// With `isChecked`, a line too long for the terminal is rejected as a whole, before any byte is written.
    case input(sequence: UInt64, isChecked: Bool, bytes: [UInt8])
    /// Nil for a size that no terminal can have.
    case resize(TerminalSize?)
    case rename(String)
    /// The colors of the client's terminal, for holders that have `Feature.takesColors`.
    case colors(TerminalColors)
    /// Requests the screen in place of output that was skipped, for holders that have `Feature.redraws`.
    case redraw
    /// Requests that the session's shell runs a line, for holders that have `Feature.executes`.
    case execute(Execution)
    /// The ID of the client's next `input` or `execute`, of `tokenBytes` bytes, for holders that have
    /// `Feature.identifiesRequests`: it is recorded on disk before the request has any effect, and a request with an ID
    /// that the holder has recorded has none.
    case identify([UInt8])
    /// Withdraws the client's line unless the shell may already have taken it.
    case withdraw
    /// Adds a marker with this label to the timeline, for holders that have `Feature.takesMarkers`.
    case marker(String)
    /// Freezes, pauses or resumes the session, for holders that have `Feature.suspends`.
    case suspend(Suspension)
    /// Requests the last input from a command, for holders that have `Feature.reportsSentInput`.
    case sentInput

    /// Asks the person at the session, or answers or awaits a question, for holders that have `Feature.asks`.
    case ask(QuestionRequest)
    /// From now on, accepts input of this client although a question is open; older holders accept it anyway.
    case force

    // MARK: To the client

    /// The answer to `status`, and a result of several calls; also sent to attached clients when the question changes.
    case record(Session)
    /// The answer to `kill`, once all processes have ended or twice the grace period has passed, and to `suspend`: the
    /// processes that are still running, each as `PID NAME`.
    case killed(survivors: [String])
    /// The answer to `attach`: the offset where output starts, the sequence number of the last input received from this
    /// client, and the terminal's size; nil if the holder does not report it.
    case attached(offset: UInt64, lastInput: UInt64, size: TerminalSize?)
    case output(offset: UInt64, bytes: [UInt8])
    /// Output that is no longer kept: the bytes in `from..<to` are missing.
    case gap(from: UInt64, to: UInt64)
    /// Bytes that make a terminal show the screen at `offset`.
    case screen(offset: UInt64, bytes: [UInt8])
    /// All bytes of this input were written to the terminal; `offset` is the end of the output before the input, and
    /// `isHidden` means that neither the terminal nor a line editor showed it, as with a password. With sequence
    /// number 0, it is the answer to `marker`.
    case accepted(sequence: UInt64, offset: UInt64, isHidden: Bool = false)
    case resized(TerminalSize)
    /// The answer to `resize`, `rename` and `ask`; the end of a successful call.
    case done
    /// The last frame: how the program ended, and the end of its output.
    case exit(ExitStatus, offset: UInt64)
    /// The answer to `execute`: the number of the request, which its marks have.
    case queued(request: UInt64)
    /// An event in the shell, sent to attached clients, and to the client whose line it concerns.
    case mark(ShellMark)
    /// The answer to `sentInput`.
    case sent(SentInput)
    /// The request or call failed; the connection stays open unless the protocol was violated.
    case failure(VTError)
    /// The result of a call, as a JSON object whose members depend on the call.
    case result([UInt8])
    /// A message for the user of the call, on standard error; details are shown only with `--verbose`.
    case note(String, isDetail: Bool)
    /// The relay has not performed the call, because its executable has been replaced since it was started.
    case outdated

    /// Capabilities added without a new protocol number, as bits in `hello`.
    package enum Feature {
        /// The holder answers the program's queries, so clients must not.
        package static let answersQueries: UInt64 = 1
        package static let takesColors: UInt64 = 1 << 1
        package static let redraws: UInt64 = 1 << 2
        package static let executes: UInt64 = 1 << 3
        package static let takesMarkers: UInt64 = 1 << 4
        package static let suspends: UInt64 = 1 << 5
        package static let identifiesRequests: UInt64 = 1 << 6
        /// The holder reports a prompt as complete only if the shell has read all input.
        package static let watchesInput: UInt64 = 1 << 7
        package static let reportsSentInput: UInt64 = 1 << 8
        package static let asks: UInt64 = 1 << 9

        /// All features of this version's holder.
        package static let ofHolders =
            answersQueries | takesColors | redraws | executes | takesMarkers | suspends | identifiesRequests
            | watchesInput | reportsSentInput | asks
    }

    /// A client's request for output.
    package struct Attachment: Hashable, Sendable {
        /// The offset of the first byte to send; nil for the current screen and everything after it.
        package var from: UInt64?
        /// Whether the client only reads: it is not counted, and sends neither input nor its size.
        package var isReadOnly: Bool
        /// Whether to send the client the marks of the session's shell.
        package var wantsMarks = false
        /// The client's terminal size, set before the screen is produced; nil leaves the size unchanged.
        package var size: TerminalSize?
        /// 16 random bytes that identify the client across reconnections.
        package var token: [UInt8]

        package init(from: UInt64?, isReadOnly: Bool, size: TerminalSize?, token: [UInt8]) {
            self.from = from
            self.isReadOnly = isReadOnly
            self.size = size
            self.token = token
        }
    }

    /// A line for the session's shell.
    package struct Execution: Hashable, Sendable {
        /// 16 bytes that identify the request: a line is run once, even if it is requested again.
        package var token: [UInt8]
        /// Whether to wait until the shell can take the line, instead of failing with `busy`.
        package var waits: Bool
        /// Whether the request may have been received before.
        package var isRepeated: Bool
        /// The shell to type the line into, unless the session's shell is at its prompt.
        package var assumedShell: AssumedShell?
        /// Without NUL bytes.
        package var line: [UInt8]

        package init(token: [UInt8], waits: Bool, isRepeated: Bool, assumedShell: AssumedShell? = nil, line: [UInt8]) {
            self.token = token
            self.waits = waits
            self.isRepeated = isRepeated
            self.assumedShell = assumedShell
            self.line = line
        }
    }

    /// The protocol number; incremented when an old client would misinterpret a new holder.
    package static let protocolNumber: UInt16 = 1
    /// The maximum length of a frame, including its kind; enough for a large screen with different 24-bit colors in
    /// every cell.
    package static let limitBytes = 4 << 20
    /// The maximum length of a screen in a frame.
    package static let screenLimitBytes = limitBytes - 16
    /// How long each side waits for the other's `hello`.
    package static let helloTimeout = Duration.seconds(2)
    /// The length of a client's token.
    package static let tokenBytes = 16

    /// A new token for a client.
    package static var randomToken: [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<tokenBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
