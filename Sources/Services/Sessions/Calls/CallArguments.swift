import Core
import Recording

// The fields of the arguments in calls, and of results.

extension SessionCreation {
    /// The command and the variables, which can be long or secret, are data: the words of the command, and then
    /// `NAME=VALUE` for each variable, each terminated by NUL.
    mutating func declare(_ fields: inout CallFields, _ data: inout [UInt8]) {
        fields.field("name", &name)
        fields.field("cwd", &directory)
        fields.field("size", &size, default: .standard)
        fields.field("term", &terminalType)
        fields.field("tags", &tags, default: [])
        fields.field("log_max", &logLimitBytes, default: Session.defaultLogLimitBytes)
        fields.field("log_input", &logsInput, default: false)
        fields.field("shell_integration", &integratesShell, default: true)
        fields.field("keep_for_ms", &keepFor)
        fields.field("if_exists", &ifExists, default: .fail)
        fields.field("require_survive", &mustSurvive, default: false)
        fields.field("auto_snapshots", &automaticSnapshots)
        var count = command.count
        fields.field("words", &count, default: 0)
        for word in command { data += word.bytes + [0] }
        for variable in variables { data += Array("\(variable.name)=\(variable.value)\0".utf8) }
        let words = data.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        guard (0...words.count).contains(count), data.last ?? 0 == 0 else { return fields.reject("words") }
        let variables = words.dropFirst(count).map { try? EnvironmentVariable(String(decoding: $0, as: UTF8.self)) }
        guard !variables.contains(nil) else { return fields.reject("words") }
        command = words.prefix(count).map { ByteString($0) }
        self.variables = variables.compactMap(\.self)
    }
}

extension SessionFilter {
    mutating func declare(_ fields: inout CallFields) {
        fields.field("state", &state)
        fields.field("tags", &tags, default: [])
        fields.field("ended_for_ms", &endedFor)
    }
}

extension ScreenRequest {
    mutating func declare(_ fields: inout CallFields) {
        fields.field("at", &offset)
        fields.field("size", &size)
        fields.field("scrollback", &scrollback, default: 0)
    }
}

extension TurnFilter {
    mutating func declare(_ fields: inout CallFields) {
        fields.field("turn", &number)
        fields.field("after", &after)
        fields.field("since", &since)
        fields.field("last_ms", &age)
        fields.field("failed", &hasFailed, default: false)
        fields.field("match", &text)
        fields.field("limit", &limit)
        if number == 0 || number == .min { fields.reject("turn") }
        if limit ?? 1 < 1 { fields.reject("limit") }
    }
}

extension RecordRequest {
    mutating func declare(_ fields: inout CallFields) {
        fields.field("format", &format, default: .v3)
        fields.field("from", &start)
        fields.field("to", &end)
        fields.field("follow", &follows, default: false)
        fields.field("input", &includesInput, default: false)
        fields.field("title", &title)
        fields.field("idle_limit_ms", &idleLimit)
        fields.field("theme", &theme)
        fields.field("max_size", &limitBytes)
    }
}

extension LogStart {
    /// Declares a field for each way to specify a start; at most one is present.
    mutating func declare(_ fields: inout CallFields) {
        var (offset, lines, time, age): (UInt64?, Int?, Timestamp?, Duration?)
        switch self {
        case .offset(let value): offset = value
        case .lastLines(let count): lines = count
        case .time(let value): time = value
        case .last(let value): age = value
        }
        fields.field("from", &offset)
        fields.field("tail", &lines)
        fields.field("since", &time)
        fields.field("last_ms", &age)
        self =
            lines.map { .lastLines($0) } ?? time.map { .time($0) } ?? age.map { .last($0) } ?? .offset(offset ?? 0)
    }
}

extension WaitRequest {
    /// Declares the fields of all conditions; without any, the condition is the end of the session.
    ///
    /// The end of the session and further expressions, which earlier versions reject, are written only if necessary. The
    /// input that was sent is data.
    mutating func declare(_ fields: inout CallFields, _ data: inout [UInt8]) {
        var (matches, failMatches): ([String], [String]) = ([], [])
        var (ignoresCase, isExit, isPrompt, silence): (Bool, Bool, Bool, Duration?) = (false, false, false, nil)
        for condition in conditions {
            switch condition {
            case .exit: isExit = conditions.count > 1
            case .match(let pattern, let text, let isFailure):
                ignoresCase = pattern.ignoresCase
                if isFailure { failMatches.append(text) } else { matches.append(text) }
            case .prompt: isPrompt = true
            case .idle(let duration): silence = duration
            }
        }
        var (first, rest) = (matches.first, Array(matches.dropFirst()))
        fields.field("match", &first)
        fields.field("more_matches", &rest, default: [])
        fields.field("fail_matches", &failMatches, default: [])
        fields.field("ignore_case", &ignoresCase, default: false)
        fields.field("exit", &isExit, default: false)
        fields.field("prompt", &isPrompt, default: false)
        fields.field("idle_ms", &silence)
        fields.field("from", &start)
        fields.field("timeout_ms", &timeout)
        var isSent = sent != nil
        fields.field("sent", &isSent, default: false)
        // One of them is empty.
        data += sent ?? []
        sent = isSent ? data : nil
        fields.field("output", &includesOutput, default: false)
        conditions = []
        for (texts, isFailure) in [((first.map { [$0] } ?? []) + rest, false), (failMatches, true)] {
            for text in texts {
                guard let pattern = try? LinePattern(text, ignoresCase: ignoresCase) else {
                    return fields.reject(isFailure ? "fail_matches" : "match")
                }
                conditions.append(.match(pattern, text: text, isFailure: isFailure))
            }
        }
        if let silence { conditions.append(.idle(silence)) }
        if isPrompt { conditions.append(.prompt) }
        if isExit || conditions.isEmpty { conditions.append(.exit) }
    }
}

extension WaitOutcome {
    /// Declares the fields other than the session, and the time that the wait took, which the caller measures.
    mutating func declare(_ fields: inout CallFields) {
        fields.field("condition", &condition)
        fields.field("offset", &offset)
        fields.field("expression", &expression)
        fields.field("match", &match)
        fields.field("line", &line)
        fields.field("row", &row)
        fields.field("command_exit", &commandExit)
        var (start, end) = (output?.lowerBound, output?.upperBound)
        fields.field("output_from", &start)
        fields.field("output_to", &end)
        if let start, let end, start <= end { output = start..<end }
    }
}

extension LineExecution {
    /// The line and its input, which can be long or secret, are data.
    mutating func declare(_ fields: inout CallFields, _ data: inout [UInt8]) {
        var inputBytes = input?.count
        fields.field("input_bytes", &inputBytes)
        // While reading, the line and the input are still empty; while writing, the data is.
        data += line + (input ?? [])
        guard (0...data.count).contains(inputBytes ?? 0) else { return fields.reject("input_bytes") }
        line = Array(data.dropLast(inputBytes ?? 0))
        input = inputBytes.map { Array(data.suffix($0)) }
        fields.field("token", &token)
        if token.utf8.count < SessionFrame.tokenBytes { fields.reject("token") }
        fields.field("assume_shell", &assumedShell)
        fields.field("identified", &isIdentified, default: false)
        fields.field("repeated", &isRepeated, default: false)
        fields.field("resume", &resumeOffset)
        fields.field("wait_ms", &patience)
        fields.field("timeout_ms", &timeout)
        fields.field("interrupt", &interrupts, default: false)
    }
}

extension LineOutcome {
    mutating func declare(_ fields: inout CallFields) {
        fields.field("outcome", &kind)
        var (code, signal) = (exit?.code, exit?.signal)
        fields.field("exit", &code)
        fields.field("signal", &signal)
        exit = code.map { .exited($0) } ?? signal.map { .signalled($0, coreDumped: false) }
        fields.field("from", &start)
        fields.field("to", &end)
        fields.field("cwd", &directory)
        fields.field("turn", &turn)
        fields.field("duration_ms", &elapsed)
    }
}
