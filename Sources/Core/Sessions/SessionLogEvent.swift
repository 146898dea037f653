/// A timestamped event in a session.
package struct SessionLogEvent: Hashable, Sendable {
    /// Microseconds since 1970.
    package var time: Int64
    package var kind: Kind

    package enum Kind: Hashable, Sendable {
        /// The program wrote output that ends at this offset; it starts at the end of the previous output event.
        case output(end: UInt64)
        /// The terminal was resized. A timeline starts with a resize event, and repeats the size periodically.
        case resize(TerminalSize)
        /// This number of bytes was written to the terminal as input.
        case input(count: Int)
        /// This text was written to the terminal as input while echo was on; recorded only if that was requested when
        /// the session was created.
        case typed(String)
        case marker(String)
        /// An event in the session's shell.
        case shell(ShellMark)
        /// The program ended; always the last event.
        case exit(ExitStatus)
    }

    package init(time: Int64, _ kind: Kind) {
        self.time = time
        self.kind = kind
    }

    /// Parses a line of the timeline without its line end, `[SECONDS.MICROSECONDS,"KIND",VALUE]`.
    ///
    /// Returns nil for any other line, such as an event of a later version or an incomplete line.
    package init?(line: some Collection<UInt8>) {
        let parts = line.dropFirst().dropLast().split(separator: UInt8(ascii: ","), maxSplits: 2)
        guard line.first == UInt8(ascii: "["), line.dropFirst(line.count - 1).first == UInt8(ascii: "]"),
            parts.count == 3, let time = Self.microseconds(parts[0]), let kind = Kind(parts[1], value: parts[2])
        else { return nil }
        self.init(time: time, kind)
    }

    /// Whether a line of the timeline is the mark of the start or the end of a turn, as far as its beginning shows.
    ///
    /// This is much faster than parsing the line.
    package static func isTurnMark(_ line: ArraySlice<UInt8>) -> Bool {
        guard let comma = line.prefix(Self.timeBytes).firstIndex(of: UInt8(ascii: ",")) else { return false }
        let rest = line[comma...]
        guard rest.starts(with: Self.shellPrefix), let letter = rest.dropFirst(Self.shellPrefix.count).first else {
            return false
        }
        return Self.turnLetters.contains(letter)
    }

    /// More than the length of a time.
    private static let timeBytes = 24
    private static let shellPrefix = Array(#","s",{"mark":""#.utf8)
    private static let turnLetters = Array("CDRU".utf8)

    private static func microseconds(_ text: some Collection<UInt8>) -> Int64? {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 6, let seconds = number(parts[0]), let rest = number(parts[1]),
            seconds < UInt64(Int64.max) / 1_000_000
        else { return nil }
        return Int64(seconds * 1_000_000 + rest)
    }

    /// Parses 1 to 19 decimal digits; nil for any other text.
    fileprivate static func number(_ digits: some Collection<UInt8>) -> UInt64? {
        guard !digits.isEmpty, digits.count < 20 else { return nil }
        var value: UInt64 = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            // 19 digits always fit.
            value = value * 10 + UInt64(byte - UInt8(ascii: "0"))
        }
        return value
    }
}

extension SessionLogEvent.Kind {
    fileprivate init?(_ name: some Collection<UInt8>, value: some Collection<UInt8>) {
        switch String(decoding: name, as: UTF8.self) {
        case "\"o\"":
            guard let end = SessionLogEvent.number(value) else { return nil }
            self = .output(end: end)
        case "\"i\"" where value.first == UInt8(ascii: "\""):
            guard let text = Self.text(Array(value)) else { return nil }
            self = .typed(text)
        case "\"i\"":
            guard let count = SessionLogEvent.number(value).flatMap({ Int(exactly: $0) }) else { return nil }
            self = .input(count: count)
        case "\"r\"":
            guard let text = Self.text(Array(value)), let size = try? TerminalSize(parsing: text) else { return nil }
            self = .resize(size)
        case "\"m\"":
            guard let text = Self.text(Array(value)) else { return nil }
            self = .marker(text)
        case "\"s\"":
            guard let mark = Self.mark(Array(value)) else { return nil }
            self = .shell(mark)
        case "\"x\"":
            guard let status = Self.status(Array(value)) else { return nil }
            self = .exit(status)
        default: return nil
        }
    }

    private static func text(_ value: [UInt8]) -> String? {
        guard let outline = try? JSONOutlineParser.parse(value) else { return nil }
        return outline.string(in: value)
    }

    private static func mark(_ value: [UInt8]) -> ShellMark? {
        guard let outline = try? JSONOutlineParser.parse(value),
            let offset: UInt64 = outline.member("offset")?.integer(in: value),
            let letter = outline.member("mark")?.string(in: value)?.utf8.first
        else { return nil }
        var mark = ShellMark(
            letter: letter,
            status: outline.member("status")?.integer(in: value),
            offset: offset,
            request: outline.member("request")?.integer(in: value) ?? 0,
            turn: outline.member("turn")?.integer(in: value) ?? 0
        )
        mark?.command = outline.member("command")?.string(in: value)
        mark?.directory = outline.member("cwd")?.string(in: value)
        return mark
    }

    private static func status(_ value: [UInt8]) -> ExitStatus? {
        guard let outline = try? JSONOutlineParser.parse(value) else { return nil }
        if let code: UInt32 = outline.member("code")?.integer(in: value) { return .exited(code) }
        guard let signal = outline.member("signal")?.string(in: value) else { return nil }
        return .signalled(SignalName(signal), coreDumped: outline.member("core")?.bool(in: value) ?? false)
    }
}
