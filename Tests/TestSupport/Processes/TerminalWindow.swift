import Foundation

/// A tmux window with a shell: a terminal in which a test can type, and whose screen and modes it can inspect.
package final class TerminalWindow: Sendable {
    private let socket: String
    private let environment: [String: String]

    /// Opens a window whose programs have this environment.
    package init(columns: Int, rows: Int, environment: [String: String]) async throws {
        socket = UUID().uuidString
        // The socket is removed with the home directory.
        self.environment = environment.merging(["TMUX_TMPDIR": environment["HOME"] ?? "/tmp"]) { $1 }
        let shell = ["env", "PS1=$ ", "ENV=", "sh"]
        try await tmux(["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"] + shell)
        // Without tmux's status line, the window has the requested height.
        try await tmux(["set", "-g", "status", "off"])
        try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
        try await wait(for: "$")
    }

    deinit {
        let (socket, environment) = (socket, environment)
        Task { try await Self.call(socket, environment, ["kill-server"]) }
    }

    /// The contents of the screen, without trailing spaces.
    package func screen() async throws -> String {
        try await tmux(["capture-pane", "-p"])
    }

    /// The terminal's modes by their names in tmux(1), such as `alternate_on=1`, separated by spaces.
    package func modes() async throws -> String {
        let names = [
            "alternate_on", "mouse_any_flag", "mouse_sgr_flag", "cursor_flag", "keypad_cursor_flag", "keypad_flag",
            "insert_flag", "origin_flag", "wrap_flag", "scroll_region_upper", "scroll_region_lower",
        ]
        let format = names.map { "\($0)=#{\($0)}" }.joined(separator: " ")
        return try await tmux(["display-message", "-p", format])
    }

    /// Types characters.
    package func type(_ text: String) async throws {
        try await tmux(["send-keys", "-l", "--", text])
    }

    /// Presses keys by their tmux(1) names, such as `Enter`, `C-c` or `Up`.
    package func press(_ keys: String...) async throws {
        try await tmux(["send-keys", "--"] + keys)
    }

    /// Types a line and presses Enter.
    package func enter(_ line: String) async throws {
        try await type(line)
        try await press("Enter")
    }

    /// Pastes text, marked as such if the program has asked for that (bracketed paste).
    package func paste(_ text: String) async throws {
        try await tmux(["set-buffer", "--", text])
        try await tmux(["paste-buffer", "-p"])
    }

    package func resize(columns: Int, rows: Int) async throws {
        try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// Closes the window and hangs up its programs.
    package func close() async throws {
        try await tmux(["kill-server"])
    }

    /// Waits for text on the screen; throws an error that shows the screen if the text does not appear in time.
    package func wait(for text: String, within limit: Duration = .patience) async throws {
        try await wait(within: limit) { $0.contains(text) }
    }

    package func wait(within limit: Duration = .patience, until isSo: (String) -> Bool) async throws {
        let end = ContinuousClock.now + limit
        while true {
            let screen = try await screen()
            if isSo(screen) { return }
            guard ContinuousClock.now < end else { throw FixtureError("unexpected screen:\n\(screen)") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @discardableResult
    private func tmux(_ words: [String]) async throws -> String {
        try await Self.call(socket, environment, words)
    }

    @discardableResult
    private static func call(
        _ socket: String,
        _ environment: [String: String],
        _ words: [String]
    ) async throws -> String {
        try await ProgramCall("tmux", ["-L", socket] + words, environment: environment).check()
    }
}
