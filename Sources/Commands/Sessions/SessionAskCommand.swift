import Arguments
import Core
import Services

/// Asks the person at a session: `vt sessions ask SESSION [MESSAGE]`.
package enum SessionAskCommand: Command {
    private static let detach = Option.flag("detach", summary: "return at once, and leave the question open")
    private static let timeout = Option(
        "timeout",
        .duration(atLeast: .milliseconds(1)),
        summary: "close the question if it is not answered within DURATION"
    )
    private static let done = Option.flag("done", summary: "answer the open question: it is done")
    private static let refuse = Option.flag(
        "refuse",
        excludes: [done],
        summary: "answer the open question: it is refused"
    )
    private static let message = Operand("MESSAGE").optional()

    /// For the commands that send input.
    static let force = Option.flag("force", summary: "send the input even if a question of 'vt sessions ask' is open")

    package static let spec = CommandSpec(
        ["sessions", "ask"],
        summary: "ask the person at a session, and wait for the answer",
        description: [
            "Asks the person at a session to do something, and waits for the answer. MESSAGE, of at most 200 "
                + "characters, is shown in 'vt attach', on the pages of 'vt serve' and in 'vt sessions list'. The "
                + "answer is given with the detach key and then y (done) or n (refused) in 'vt attach', with a button "
                + "on the page, or with --done or --refuse.",
            SessionOperand.explanation,
            "# Input",
            "Until the answer, only what is typed in 'vt attach' and on pages reaches the program: input of commands "
                + "is an error (busy) without --force, and 'vt sessions exec --when-ready' runs its line after the "
                + "answer.",
            "# The end of a question",
            "A session has at most one open question; another one is an error (busy). If this command ends before the "
                + "answer, or its connection is lost, the question is withdrawn, unless --detach was given. Without "
                + "MESSAGE, waits for the answer to the last question, or reports it.",
        ],
        operands: [SessionOperand.session, message],
        options: [detach, timeout, done, refuse] + ConnectionOptions.options,
        commonOptions: [timeout, detach, done, refuse],
        examples: [
            ExampleSpec("vt sessions ask dev 'please log in to the VPN'", "wait for a person to log in"),
            ExampleSpec("vt sessions ask web:deploy 'check the diff' --timeout 1h", "ask on a server, for one hour"),
        ],
        exitCodes: VTError.Code.ofHolders,
        statuses: [
            0: "it is done",
            1: "it was refused or withdrawn, or the session has ended",
        ]
    )

    package static var documents: [DocumentSpec] {
        [.document(Question.self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        let answers = call[done] || call[refuse]
        if let message = call[message] {
            guard !answers else { throw VTError(.usage, "MESSAGE cannot be used with --done or --refuse") }
            _ = try Question(asking: message)
        } else if call[detach] || call.contains(timeout) {
            throw VTError(.usage, "--detach and --timeout require MESSAGE")
        }
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let reference = call[SessionOperand.session]
        let action: QuestionRequest.Action =
            call[done] ? .done : call[refuse] ? .refuse : call[message] == nil ? .wait : call[detach] ? .detach : .ask
        let request = QuestionRequest(action, call[message] ?? "", timeout: call[timeout])
        try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.call(request, on: reference.session)
            guard context.global.json else { return }
            if let question = try await client.session(reference.session).question { try context.output.json(question) }
        }
        return 0
    }
}
