import Arguments
import Core
import Services
import Storage
import System

/// Lines for programs that read lines at a prompt, such as interpreters and clients of databases.
extension SessionExecCommand {
    private static let others: [any CommandOption] = [assumeShell, stdin, requestID, interrupt, raw, screen]

    static let repl = Option(
        "repl",
        .choice("PROGRAM", Repl.Name.allCases),
        excludes: others,
        summary: "type LINE at the prompt of PROGRAM, and print its answer",
        details: "--prompt replaces the usual prompt. psql and gdb are first told not to use a pager."
    )
    static let prompt = Option(
        "prompt",
        ValueKind("EXPRESSION") { text throws(VTError) in
            guard !text.isEmpty else { throw VTError(.usage, "the expression of --prompt is empty") }
            return try LinePattern(text)
        },
        excludes: others,
        summary: "type LINE at the prompt that ends with a match of EXPRESSION, and print the answer",
        details: "If LINE has several lines, and the program does not support bracketed paste, EXPRESSION must also "
            + "match the prompt for the rest of a line."
    )
    static let settle = Option(
        "settle",
        .duration,
        default: "100ms",
        summary: "with --repl or --prompt, wait until there has been no output for DURATION at the prompt"
    )
    static let replDescription =
        "With --repl or --prompt, LINE is typed at the prompt of a program that is not a shell, and what is shown between LINE "
        + "and the next prompt is printed as text. The program is at its prompt when it shows the prompt, there is no more "
        + "output (--settle) and, if vt can find out, it reads from the terminal; otherwise, nothing is sent (busy). "
        + "Several lines are pasted as one if the program supports it, and otherwise typed one by one. The exit status is "
        + "0, or 1 if a line of the output looks like an error message of PROGRAM in English. If the program shows a pager "
        + "or asks a question, vt exits with 124, as after a timeout. In a shell that ssh, su or docker has started, "
        + "--prompt '[$#] $' does not report the exit status of LINE, but types nothing except LINE."

    /// The line for a program at its prompt; nil for a shell that runs it.
    static func replLine(_ text: [UInt8], _ call: Call) throws(VTError) -> ReplLine? {
        guard call.contains(repl) || call.contains(prompt) else { return nil }
        var line = try ReplLine(text, to: Repl(call[repl], prompt: call[prompt]))
        line.settle = call[settle] ?? line.settle
        (line.patience, line.timeout, line.idle) = (call[whenReady], call[timeout], call[idleTimeout])
        line.isForced = call[SessionAskCommand.force]
        return line
    }

    /// Keeps lines apart that commands on this machine send at the same time; nil if there is no place for a lock, as in
    /// a home directory that cannot be written.
    ///
    /// - Throws: `busy` when another line is running.
    static func inputLock(
        of session: Session,
        _ reference: SessionReference,
        within patience: Duration?,
        in context: Context
    ) async throws(VTError) -> QueueLock? {
        do throws(VTError) {
            let store = try FileQueueStore(context.world)
            return try await FileLock.retry(within: patience ?? .zero, on: context.world.clock) { () throws(VTError) in
                try store.lockInput(of: session.id.text, named: reference.text)
            }
        } catch {
            guard error.code != .busy, !error.isCancellation else { throw error }
            context.diagnostics.detail("lines of other commands are not kept apart: \(error.message)")
            return nil
        }
    }
}
