/// An event in the shell of a session, at an offset of the output.
package struct ShellMark: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A prompt begins.
        case prompt
        /// The prompt is complete, and the shell waits for a line: it has read all input.
        case input
        /// The shell reads a line that is incomplete, or that was sent before its prompt was complete.
        case continuation
        /// A command starts; its output begins here.
        case command
        /// The command has ended with this status; its output ends here.
        case end(status: UInt32)
        /// Another program has replaced the shell, so that the end of the command remains unknown.
        case replaced
        /// The shell has shown a prompt without reporting how the command ended.
        case unknown

        /// Whether the mark is that of the start or the end of a turn.
        package var isOfTurn: Bool {
            switch self {
            case .command, .end, .replaced, .unknown: true
            case .prompt, .input, .continuation: false
            }
        }
    }

    package var kind: Kind
    package var offset: UInt64
    /// The number of the request, for a line that was sent by `vt sessions exec`; 0 for any other line.
    package var request: UInt64
    /// The number of the command that this mark starts or ends; for other marks, the number of commands that have been
    /// started.
    package var turn: UInt64
    /// The command line, for a command that starts; nil if the shell does not report it, and outside the timeline.
    package var command: String?
    /// The working directory of the shell, for a command that starts; nil outside the timeline.
    package var directory: String?

    package init(_ kind: Kind, at offset: UInt64, request: UInt64 = 0, turn: UInt64) {
        self.kind = kind
        self.offset = offset
        self.request = request
        self.turn = turn
    }
}

extension ShellMark {
    /// The letter of the mark, in OSC 133 if it has one there.
    package var letter: UInt8 {
        switch kind {
        case .prompt: UInt8(ascii: "A")
        case .input: UInt8(ascii: "B")
        case .continuation: UInt8(ascii: "P")
        case .command: UInt8(ascii: "C")
        case .end: UInt8(ascii: "D")
        case .replaced: UInt8(ascii: "R")
        case .unknown: UInt8(ascii: "U")
        }
    }

    /// The exit status of a command that has ended.
    package var status: UInt32? {
        if case .end(let status) = kind { status } else { nil }
    }

    /// Nil for an unknown letter, or for an end without a status.
    package init?(letter: UInt8, status: UInt32?, offset: UInt64, request: UInt64, turn: UInt64) {
        let kind: Kind
        switch letter {
        case UInt8(ascii: "A"): kind = .prompt
        case UInt8(ascii: "B"): kind = .input
        case UInt8(ascii: "P"): kind = .continuation
        case UInt8(ascii: "C"): kind = .command
        case UInt8(ascii: "D"):
            guard let status else { return nil }
            kind = .end(status: status)
        case UInt8(ascii: "R"): kind = .replaced
        case UInt8(ascii: "U"): kind = .unknown
        default: return nil
        }
        self.init(kind, at: offset, request: request, turn: turn)
    }
}
