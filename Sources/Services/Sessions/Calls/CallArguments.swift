import Core
import Recording

// The fields of the arguments in calls, and the other values that calls and results contain.

extension SessionCreation {
    /// Declares the fields other than the command and the variables, which are sent as data.
    mutating func declare(_ fields: inout CallFields) {
        var name = name.text
        fields.text("name", &name)
        fields.text("cwd", &directory)
        var (size, limit) = (Optional(size), Optional(logLimitBytes))
        fields.size("size", &size)
        fields.text("term", &terminalType)
        fields.texts("tags", &tags)
        fields.number("log_max", &limit)
        (self.size, logLimitBytes) = (size ?? self.size, limit ?? logLimitBytes)
        fields.flag("log_input", &logsInput)
        fields.duration("keep_for_ms", &keepFor)
        fields.choice("if_exists", &ifExists)
        fields.flag("require_survive", &mustSurvive)
    }

    /// The words of the command, and then `NAME=VALUE` for each variable, each terminated by NUL.
    var words: [UInt8] {
        command.flatMap { $0.bytes + [0] } + variables.flatMap { Array("\($0.name)=\($0.value)\0".utf8) }
    }

    /// Reads the command, which has `count` words, and the variables.
    ///
    /// - Throws: `protocol` when there are fewer words; `usage` for an invalid variable.
    mutating func read(_ words: [UInt8], count: Int) throws(VTError) {
        let words = words.split(separator: 0, omittingEmptySubsequences: false)
        // After the last NUL follows nothing.
        guard (0..<max(1, words.count)).contains(count), words.last?.isEmpty != false else {
            throw VTError(.protocolViolation, "the words of a command are incomplete")
        }
        command = words.prefix(count).map { ByteString($0) }
        variables = try words.dropFirst(count).dropLast().map { word throws(VTError) in
            try EnvironmentVariable(String(decoding: word, as: UTF8.self))
        }
    }
}

extension SessionFilter {
    mutating func declare(_ fields: inout CallFields) {
        fields.choice("state", &state)
        fields.texts("tags", &tags)
        fields.duration("ended_for_ms", &endedFor)
    }
}

extension ScreenRequest {
    mutating func declare(_ fields: inout CallFields) {
        fields.number("at", &offset)
        fields.size("size", &size)
        fields.number("scrollback", &scrollback)
    }
}

extension RecordRequest {
    mutating func declare(_ fields: inout CallFields) {
        fields.choice("format", &format)
        fields.value("from", &start, text: { $0.text }, parse: { try? RecordingPosition(parsing: $0) })
        fields.value("to", &end, text: { $0.text }, parse: { try? RecordingPosition(parsing: $0) })
        fields.flag("follow", &follows)
        fields.flag("input", &includesInput)
        fields.text("title", &title)
        fields.duration("idle_limit_ms", &idleLimit)
        fields.text("theme", &theme)
        fields.number("max_size", &limitBytes)
    }
}

extension LogStart {
    /// Declares one field for each way to specify a start; only one of them is present.
    mutating func declare(_ fields: inout CallFields) {
        var (offset, lines, time, age): (UInt64?, Int?, Timestamp?, Duration?)
        switch self {
        case .offset(let value): offset = value
        case .lastLines(let count): lines = count
        case .time(let value): time = value
        case .last(let value): age = value
        }
        fields.number("from", &offset)
        fields.number("tail", &lines)
        fields.value("since", &time, text: { $0.rawValue }, parse: { Timestamp(rawValue: $0) })
        fields.duration("last_ms", &age)
        self =
            lines.map { .lastLines($0) } ?? time.map { .time($0) } ?? age.map { .last($0) } ?? .offset(offset ?? 0)
    }
}

extension WaitCondition {
    func write(_ fields: inout CallFields) {
        var (pattern, ignoresCase, isPrompt, isExit): (String?, Bool, Bool, Bool) = (nil, false, false, false)
        var silence: Duration?
        switch self {
        case .exit: isExit = true
        case .match(let expression, let text): (pattern, ignoresCase) = (text, expression.ignoresCase)
        case .prompt: isPrompt = true
        case .idle(let duration): silence = duration
        }
        Self.declare(&fields, &pattern, &ignoresCase, &isPrompt, &isExit, &silence)
    }

    /// - Throws: `usage` for an invalid expression; `protocol` when there is no condition.
    init(_ fields: inout CallFields) throws(VTError) {
        var (pattern, ignoresCase, isPrompt, isExit): (String?, Bool, Bool, Bool) = (nil, false, false, false)
        var silence: Duration?
        Self.declare(&fields, &pattern, &ignoresCase, &isPrompt, &isExit, &silence)
        if let pattern {
            self = .match(try LinePattern(pattern, ignoresCase: ignoresCase), text: pattern)
        } else if let silence {
            self = .idle(silence)
        } else if isPrompt {
            self = .prompt
        } else if isExit {
            self = .exit
        } else {
            throw VTError(.protocolViolation, "this version of vt does not support the condition of a wait")
        }
    }

    private static func declare(
        _ fields: inout CallFields,
        _ pattern: inout String?,
        _ ignoresCase: inout Bool,
        _ isPrompt: inout Bool,
        _ isExit: inout Bool,
        _ silence: inout Duration?
    ) {
        fields.text("match", &pattern)
        fields.flag("ignore_case", &ignoresCase)
        fields.flag("prompt", &isPrompt)
        fields.flag("exit", &isExit)
        fields.duration("idle_ms", &silence)
    }
}

extension Finding {
    mutating func declare(_ fields: inout CallFields) {
        fields.text("check", &check)
        fields.choice("result", &verdict)
        fields.text("detail", &detail)
        fields.text("hint", &hint)
    }
}

extension WaitOutcome {
    /// Reads an outcome; nil if it names no session.
    init?(_ fields: inout CallFields) {
        var id: SessionID?
        Self.declare(&fields, &id)
        guard let id else { return nil }
        self.init(id: id, name: "", state: .running, exit: nil, offset: 0, elapsed: .zero)
        declare(&fields)
    }

    private static func declare(_ fields: inout CallFields, _ id: inout SessionID?) {
        fields.value("id", &id, text: { $0.text }, parse: { SessionID($0) })
    }

    func write(_ fields: inout CallFields) {
        var (outcome, id) = (self, Optional(id))
        Self.declare(&fields, &id)
        outcome.declare(&fields)
    }

    /// Declares the fields other than the ID, and the time that the wait took, which the caller measures.
    private mutating func declare(_ fields: inout CallFields) {
        fields.text("name", &name)
        fields.choice("state", &state)
        var (code, signal, coreDumped): (UInt32?, String?, Bool) = (nil, nil, false)
        switch exit {
        case .exited(let status): code = status
        case .signalled(let name, let dumped): (signal, coreDumped) = (name.text, dumped)
        case nil: break
        }
        fields.number("exit_code", &code)
        fields.text("exit_signal", &signal)
        fields.flag("core_dumped", &coreDumped)
        exit = code.map { .exited($0) } ?? signal.map { .signalled(SignalName($0), coreDumped: coreDumped) }
        fields.number("offset", &offset)
        fields.text("match", &match)
        fields.text("line", &line)
        fields.number("row", &row)
        fields.number("command_exit", &commandExit)
    }
}
