import Core

/// Formats the attributes of a session as text.
enum SessionText {
    /// The state, and the exit status of the program: `running`, `asks`, `exited 3`, `exited KILL`.
    static func state(_ session: Session) -> String {
        switch session.exit {
        case .exited(let code): "\(session.state.rawValue) \(code)"
        case .signalled(let signal, let coreDumped):
            "\(session.state.rawValue) \(signal.text)\(coreDumped ? " (core dumped)" : "")"
        case .unknown, nil: session.openQuestion == nil ? session.state.rawValue : "asks"
        }
    }

    /// What the shell is doing, and the exit status of its last command: `bash, at its prompt, last exit 0`.
    static func shell(_ status: ShellStatus) -> String {
        let state =
            switch status.state {
            case .prompt: "at its prompt"
            case .running: status.command.map { "running \(ByteString($0).shellQuoted.repairedText)" } ?? "running"
            case .continuation: "waiting for the rest of a line"
            case .unknown: "state unknown"
            }
        return "\(status.kind), \(state)" + (status.lastExit.map { ", last exit \($0)" } ?? "")
    }

    /// The command line, quoted for a shell.
    static func command(_ session: Session) -> String {
        session.command.map { ByteString($0).shellQuoted }.joined(separator: " ").repairedText
    }

    static func size(_ session: Session) -> String {
        "\(session.size.columns)x\(session.size.rows)"
    }

    /// The age in the largest unit in which it is at least 1: `12s`, `5m`, `3h`, `2d`.
    static func age(of time: Timestamp, now: Timestamp) -> String {
        let seconds = max(0, now.seconds - time.seconds)
        return switch seconds {
        case ..<60: "\(seconds)s"
        case ..<3600: "\(seconds / 60)m"
        case ..<86_400: "\(seconds / 3600)h"
        default: "\(seconds / 86_400)d"
        }
    }

    /// A size in the largest unit in which it is at least 1, rounded down: `812`, `64K`, `3M`.
    static func bytes(_ count: UInt64) -> String {
        switch count {
        case ..<(1 << 10): String(count)
        case ..<(1 << 20): "\(count >> 10)K"
        case ..<(1 << 30): "\(count >> 20)M"
        default: "\(count >> 30)G"
        }
    }
}
