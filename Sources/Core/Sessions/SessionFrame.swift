/// What a client and the holder of a session tell each other.
///
/// On the wire a frame is four bytes that count what follows them, the most significant first, one byte for the kind,
/// and the payload; numbers have the most significant byte first, too. A kind that is not known is skipped by its length.
/// `hello`, `status` and `kill` with their answers are the frozen part, which every later version keeps.
package enum SessionFrame: Hashable, Sendable {
    // MARK: Both ways

    /// The first frame of both sides: the number of the protocol, the features it has, and the version of vt.
    case hello(protocolNumber: UInt16, features: UInt64, version: String)

    // MARK: To the holder

    /// Asks for the record.
    case status
    /// Ends the program and all that it started.
    ///
    /// Signal 0 means HUP and TERM, and after the grace KILL; another one is sent alone.
    case kill(signal: UInt8, graceMilliseconds: UInt32)
    /// Begins to receive output.
    case attach(Attachment)
    /// Bytes for the terminal; sequence numbers begin with 1 for each client token and grow by 1.
    ///
    /// With `isChecked` a line that the terminal cannot take is refused as a whole, before any byte is written.
    case input(sequence: UInt64, isChecked: Bool, bytes: [UInt8])
    case resize(columns: UInt16, rows: UInt16)
    case rename(String)
    /// The colors of the client's terminal, for holders that have `Feature.takesColors`.
    case colors(TerminalColors)
    /// Asks for the screen in the place of output that was not sent, for holders that have `Feature.redraws`.
    case redraw

    // MARK: To the client

    /// The answer to `status`: `Session` as JSON.
    case record([UInt8])
    /// The answer to `kill`, once everything has ended or the grace is over twice: what is left, as `PID NAME` lines.
    case killed(survivors: [String])
    /// The answer to `attach`: where the output begins, the last input taken from this client, and the terminal's size.
    case attached(offset: UInt64, lastInput: UInt64, columns: UInt16, rows: UInt16)
    case output(offset: UInt64, bytes: [UInt8])
    /// Output that is no longer kept: the bytes from `from` up to `to` are missing.
    case gap(from: UInt64, to: UInt64)
    /// Bytes that make a terminal show the screen as it is at `offset`.
    case screen(offset: UInt64, bytes: [UInt8])
    /// All bytes of this input are in the terminal; `offset` is where the output stood before they were.
    case accepted(sequence: UInt64, offset: UInt64)
    case resized(columns: UInt16, rows: UInt16)
    /// The answer to `rename`, and to other requests that have none of their own.
    case done
    /// The last frame: how the program ended and where its output does.
    case exit(ExitStatus, offset: UInt64)
    /// The request failed; the connection goes on unless the protocol itself was broken.
    case failure(code: String, message: String, hint: String)

    /// What a holder can do that holders of the same protocol could not always, as bits of `hello`.
    package enum Feature {
        /// It answers the queries of the program, so that no client's terminal is to.
        package static let answersQueries: UInt64 = 1
        package static let takesColors: UInt64 = 1 << 1
        package static let redraws: UInt64 = 1 << 2

        /// All that holders of this version have.
        package static let ofHolders = answersQueries | takesColors | redraws
    }

    /// What a client wants to receive.
    package struct Attachment: Hashable, Sendable {
        /// The first byte wanted; nil for the screen as it is now, and what follows.
        package var from: UInt64?
        /// Whether the client only reads: it is not counted, sends no input and no size.
        package var isReadOnly: Bool
        /// The size of the client's terminal, to be set before the screen is made; nil leaves it.
        package var size: TerminalSize?
        /// 16 random bytes that stay the same when a client comes back after a lost link.
        package var token: [UInt8]

        package init(from: UInt64?, isReadOnly: Bool, size: TerminalSize?, token: [UInt8]) {
            self.from = from
            self.isReadOnly = isReadOnly
            self.size = size
            self.token = token
        }
    }

    /// The number of the protocol; it grows when an old client would misread a new holder.
    package static let protocolNumber: UInt16 = 1
    /// The longest frame that is sent or taken, its kind included; enough for a large screen on which each cell has
    /// 24-bit colours of its own.
    package static let limitBytes = 4 << 20
    /// The longest screen that one frame can hold.
    package static let screenLimitBytes = limitBytes - 16
    /// How long either side waits for the other's `hello`.
    package static let helloTimeout = Duration.seconds(2)
    /// The length of a client's token.
    package static let tokenBytes = 16
}
