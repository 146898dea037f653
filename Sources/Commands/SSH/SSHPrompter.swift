import Core
import Runtime
import System

/// Asks the user as ssh(1) does: on the controlling terminal, or with the program that SSH_ASKPASS names.
struct SSHPrompter {
    /// The program that asks if SSH_ASKPASS is not set.
    private static let usualProgram = "/usr/bin/ssh-askpass"

    private let console: Console
    /// Prints the lines before a question.
    private let report: @Sendable (String) -> Void
    /// The program to run; nil means that the terminal is used.
    private let program: String?

    /// Decides how to ask, as described in ssh(1), ENVIRONMENT; nil if the user cannot be asked.
    ///
    /// `report` prints the lines before a question, which are messages and not part of the question.
    init?(_ console: Console, report: @escaping @Sendable (String) -> Void) {
        self.console = console
        self.report = report
        let environment = console.environment
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        let (isAllowed, isPreferred) =
            switch environment["SSH_ASKPASS_REQUIRE"]?.lowercased() {
            case "never": (false, false)
            case "prefer": (hasDisplay, hasDisplay)
            case "force": (true, true)
            default: (hasDisplay, false)
            }
        let usualProgram = FileIdentity(at: Self.usualProgram).map { _ in Self.usualProgram }
        let program = environment["SSH_ASKPASS"] ?? usualProgram
        let canAsk = console.terminal.canAsk
        let usesProgram = isAllowed && (isPreferred || !canAsk)
        guard usesProgram ? program != nil : canAsk else { return nil }
        self.program = usesProgram ? program : nil
    }

    func prompter(limit: Int) -> Prompter {
        Prompter(limit: limit) { prompt async throws(VTError) in
            if !prompt.lines.isEmpty { report(prompt.lines.map { $0 + "\n" }.joined()) }
            if let program { return try await answer(to: prompt, from: program) }
            guard let line = try await console.terminal.ask(prompt) else { return nil }
            return try Secret(line)
        }
    }

    /// Runs the program, which prints the answer; nil if it fails.
    private func answer(to prompt: Prompt, from program: String) async throws(VTError) -> Secret? {
        let plan = SpawnPlan(
            arguments: [ByteString(program), ByteString(prompt.text)],
            environment: console.environment.words
        )
        let capture = try await ChildProcess.capture(plan)
        guard capture.status == .exited(0) else { return nil }
        return try Secret(Array(capture.output.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }))
    }
}

extension SSHPlan {
    /// Lets the user be asked for credentials of the server and its jump hosts.
    mutating func ask(with prompter: Prompter?) {
        self.prompter = prompter
        guard case .jump(var hop) = route else { return }
        hop.ask(with: prompter)
        route = .jump(hop)
    }
}
