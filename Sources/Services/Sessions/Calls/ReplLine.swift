import Core
import Runtime
import Terminal

/// A line for a program that reads lines at a prompt, sent with calls that every version of vt answers.
package struct ReplLine: Sendable {
    private let repl: Repl
    private let text: String
    /// How long the program must be silent at its prompt.
    package var settle = Duration.milliseconds(100)
    /// How long to wait for the prompt before the line is sent; nil means to fail with `busy` if it is not shown.
    package var patience: Duration?
    package var timeout: Duration?
    /// How long the program may print nothing.
    package var idle: Duration?
    /// Whether the line is also sent while a question is open.
    package var isForced = false

    /// How long a prompt may be shown before the program reads, and how long a question must be shown.
    private static let pause = Duration.seconds(1)
    /// The pauses between two looks at a program that does not read yet; each is twice as long as the one before.
    private static let lookPauses = Duration.milliseconds(20)...Duration.seconds(1)

    /// - Throws: `usage` when the line has characters that the program would take for keys.
    package init(_ line: [UInt8], to repl: Repl) throws(VTError) {
        let text = String(decoding: line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...], as: UTF8.self)
        for scalar in text.unicodeScalars where scalar.properties.generalCategory == .control && scalar != "\n" {
            guard scalar == "\t", repl.quotesTabs else {
                let number = String(scalar.value, radix: 16, uppercase: true)
                throw VTError(.usage, "the line contains U+\(number), which the program takes for a key")
            }
        }
        (self.text, self.repl) = (text, repl)
    }

    /// The line being sent.
    private struct Run: Sendable {
        let session: String
        let client: SessionClient
        let terminal: ReplTerminal
        let watch: StallWatch
        let clock: any Clock<Duration>
    }

    /// Sends the line, and passes the text that the program prints to `receiver`; returns how the line ended and, if the
    /// program waits for something, the row with the cursor.
    ///
    /// - Throws: `busy` when the program does not show its prompt; `ended`.
    package func run(
        in session: Session,
        named name: String,
        at client: SessionClient,
        _ receiver: any OutputReceiver,
        on clock: any Clock<Duration>
    ) async throws(VTError) -> (LineOutcome, String?) {
        guard session.state.isLive else { throw LocalSessions.ended(session) }
        let screen = try await client.call(ScreenRequest(), on: name)
        let isStable = client.machine.hasStableOffsets
        let start = isStable ? screen.offset : 0
        let terminal = ReplTerminal(repl, receiver)
        terminal.show(isStable ? screen.emulator() : Emulator(size: screen.size, scrollbackBytes: 0), at: start)
        let watch = StallWatch(name, at: client, terminal, on: clock)
        let run = Run(session: name, client: client, terminal: terminal, watch: watch, clock: clock)
        return try await firstResult { tasks in
            tasks.add { () async throws(VTError) in
                let ended = try await client.logs(of: name, from: .offset(start), follows: true, receiver: watch)
                try await terminal.endLine()
                var outcome = watch.outcome(.sessionEnded)
                outcome.exit = ended.exit
                return (outcome, nil)
            }
            tasks.add { () async throws(VTError) in try await outcome(run) }
            guard let idle else { return }
            tasks.add { () async throws(VTError) in
                _ = try await watch.stall(idle: idle, returnsOnInput: false)
                try await terminal.endLine()
                return (watch.outcome(.idle), terminal.view.row)
            }
        }
    }

    private func outcome(_ run: Run) async throws(VTError) -> (LineOutcome, String?) {
        let isStable = run.client.machine.hasStableOffsets
        // Where offsets are not stable, the prompt is shown only after the history has been received.
        let isAwaited = run.terminal.view.wait == .prompt || patience != nil || !isStable
        let limit = !isAwaited ? .zero : max(patience ?? .zero, isStable ? Self.pause : Self.pause * 10)
        let ready = try await resultInTime(limit, on: run.clock) { () async throws(VTError) in
            while try await settled(run, for: isStable ? .zero : settle).wait != .prompt {}
            return true
        }
        guard ready ?? false else {
            let current = try await run.client.session(run.session)
            if let error = current.suspensionError() ?? (isForced ? nil : current.questionError) { throw error }
            let name = run.client.machine.name(of: run.session)
            guard !run.terminal.isFullScreen else {
                throw VTError(
                    .busy,
                    "'\(name)' shows the alternate screen, as a full-screen program does, and not a prompt",
                    hint: "to see what the program shows, use 'vt sessions screen \(name)'"
                )
            }
            let shown = "'\(name)' shows '\(run.terminal.view.row.sanitized)'"
            throw VTError(.busy, "\(shown), which is not the prompt", hint: "to wait for the prompt, use --when-ready")
        }
        let found: (kind: LineOutcome.Kind, exit: ExitStatus?)?
        if let timeout {
            found = try await resultInTime(timeout, on: run.clock) { () async throws(VTError) in try await send(run) }
        } else {
            found = try await send(run)
        }
        if found == nil { try await run.terminal.endLine() }
        var outcome = run.watch.outcome(found?.kind ?? .timedOut)
        outcome.exit = found?.exit
        return (outcome, outcome.kind == .exit ? nil : run.terminal.view.row)
    }

    private func send(_ run: Run) async throws(VTError) -> (kind: LineOutcome.Kind, exit: ExitStatus?) {
        let (terminal, setup) = (run.terminal, repl.setup.map { [$0] } ?? [])
        let isBlock = repl.pastesBlock && terminal.isBracketed
        let single = isBlock ? [text] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let lines = setup + (repl.closesBlocks && !isBlock ? Self.blocks(in: single) : single)
        // Two more empty lines can be needed to end a block.
        for (index, line) in (lines + (repl.closesBlocks ? ["", ""] : [])).enumerated() {
            let isSetup = index < setup.count
            let (isBracketed, bytes) = (terminal.isBracketed && !line.isEmpty, Array(line.utf8))
            let keys = bytes.flatMap { $0 == UInt8(ascii: "\t") ? [0x16, $0] : [$0] }
            let offset = terminal.begin(bytes)
            if !isSetup, run.watch.start == nil { run.watch.started(at: offset) }
            let input = isBracketed ? PasteEncoder.bytes(of: bytes, isBracketed: true) : keys
            var request = SendRequest(input + [UInt8(ascii: "\r")])
            request.isForced = isForced
            _ = try await run.client.call(request, on: run.session)
            let (wait, exit) = try await settled(run, for: isSetup ? .zero : settle)
            try await terminal.endLine(dropsRow: wait == nil, isDiscarded: isSetup)
            if wait == nil { return (.exit, exit) }
            if wait == .answer { return (.input, nil) }
            if wait == .prompt, index >= lines.count - 1 { return (.exit, .exited(terminal.hasFailed ? 1 : 0)) }
        }
        return (.input, nil)
    }

    /// The lines with an empty one after each block of Python, and only there: it ends the block.
    ///
    /// In a string that contains line ends, that would change the string.
    private static func blocks(in lines: [String]) -> [String] {
        guard !lines.contains(where: { $0.contains("\"\"\"") || $0.contains("'''") }) else { return lines }
        let isIndented = { (line: String) in line.first?.isWhitespace ?? false }
        let isBlank = { (line: String) in line.allSatisfy(\.isWhitespace) }
        var typed: [String] = []
        for (index, line) in lines.enumerated() {
            if isBlank(line), let next = lines[index...].first(where: { !isBlank($0) }), isIndented(next) {
                // A line with a blank does not end the block.
                typed.append(" ")
                continue
            }
            let continues = ["else", "elif", "except", "finally", ")", "]", "}"].contains(where: line.hasPrefix)
            if !isBlank(line), !isIndented(line), !continues, typed.last.map(isIndented) ?? false { typed.append("") }
            typed.append(line)
        }
        return typed
    }

    /// Waits until the program waits for something, and there has been no output for `settle`; nil means that it has
    /// ended, and the session's shell waits.
    private func settled(
        _ run: Run,
        for settle: Duration
    ) async throws(VTError) -> (wait: ReplTerminal.Wait?, exit: ExitStatus?) {
        var end: UInt64?
        var look = Self.lookPauses.lowerBound
        while true {
            let rest = settle - run.terminal.silence
            if rest > .zero {
                try await run.clock.pause(for: rest)
                continue
            }
            let view = run.terminal.view
            if view.end != end { (end, look) = (view.end, Self.lookPauses.lowerBound) }
            let current = try await run.client.session(run.session)
            let hasAll = current.outputBytes <= view.end || !run.client.machine.hasStableOffsets
            let silence = run.terminal.silence
            if hasAll, silence >= view.settle, run.terminal.view.end == view.end {
                let isSent = run.watch.start != nil
                let isReady = !current.state.isSuspended && (isForced || current.openQuestion == nil)
                let isShell = repl.hasNoPrompt && current.shell?.state == .prompt
                let acceptsInput = isSent || isReady && !isShell
                if let wait = view.wait, current.isReading ?? true, acceptsInput { return (wait, nil) }
                if view.wait == nil, isSent, current.shell?.state == .prompt {
                    return (nil, current.shell?.lastExit.map { .exited($0) })
                }
                let isQuestion = isSent && current.isReading == true && !view.row.isEmpty
                if isQuestion, silence >= Self.pause { return (.answer, nil) }
            }
            try await resultInTime(look, on: run.clock) { () async throws(VTError) in
                try await run.terminal.output(after: view.end)
            }
            look = min(look * 2, Self.lookPauses.upperBound)
        }
    }
}
