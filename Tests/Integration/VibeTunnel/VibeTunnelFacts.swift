import Foundation
import TestSupport
import Testing

/// What programs of VibeTunnel have answered, and where `vt serve --vibetunnel` answers differently on purpose.
///
/// The requests are those of a client of the server of June 2025. In JSON, `{id}` stands for the session that the client
/// has created last, `{first}` for the first one, `{time}` for a time, `{pid}` for a number, and `{any}` for anything.
enum VibeTunnelFacts {
    enum Credentials { case right, wrong }

    struct Request {
        let name: String
        let credentials: Credentials?
        let method: String
        let path: String
        let body: String?
        /// Nil if there is no answer.
        let status: Int?
        let answer: String

        init(
            _ name: String,
            _ method: String,
            _ path: String,
            sending body: String? = nil,
            as credentials: Credentials? = .right,
            status: Int? = 200,
            _ answer: String = #""{any}""#
        ) {
            (self.name, self.credentials, self.method, self.path) = (name, credentials, method, path)
            (self.body, self.status, self.answer) = (body, status, answer)
        }
    }

    // MARK: - Requests

    static let success = #"{"success":true}"#
    static let created = #"{"sessionId":"{id}"}"#
    private static let invalid = #"{"error":"Invalid request body"}"#
    private static let unknown = #"{"error":"Not found"}"#
    private static let unauthenticated = #"{"error":"Authentication required"}"#
    private static let killed = #"{"message":"Session killed","success":true}"#
    private static let program = "no-such-program-x"
    private static let noProgram = JSON.text([
        "error": "Failed to create session: failed to start pty: exec: \"\(program)\": "
            + "executable file not found in $PATH"
    ])
    private static let shell: [String: any Sendable] = ["command": bash, "name": "work", "cols": 100, "rows": 30]

    static let bash = ["bash", "--norc", "--noprofile"]
    static let exit3 = ["sh", "-c", "echo out; sleep 1; exit 3"]
    static let exit0 = ["sh", "-c", "echo ok"]
    /// Prints text in colors.
    private static let printing =
        #"PS1='$ '; printf 'h\u00e9llo \033[1;31mred\033[0m \033[48;2;1;2;3mrgb\033[0m \u4e16\u754c\n'"#

    private static func session(_ id: String, _ command: Any, _ name: String, _ status: String, _ more: [String: Any])
        -> String
    {
        let members: [String: Any] = [
            "id": id, "command": command, "workingDir": "/tmp", "name": name, "status": status, "startedAt": "{time}",
            "lastModified": "{time}", "pid": "{pid}",
        ]
        return JSON.text(members.merging(more) { $1 })
    }

    private static func line(
        _ id: String,
        _ words: [String],
        _ name: String,
        _ status: String,
        _ more: [String: Any] = [:]
    )
        -> String
    {
        session(id, words.joined(separator: " "), name, status, more)
    }

    /// Later servers send the command as an array, and the size and the exit code, which that of June 2025 forgets.
    private static func own(
        _ id: String,
        _ words: [String],
        _ name: String,
        _ status: String,
        _ columns: Int,
        _ rows: Int,
        _ more: [String: Any] = [:]
    ) -> String {
        session(id, words, name, status, ["initialCols": columns, "initialRows": rows].merging(more) { $1 })
    }

    private static func body(_ members: [String: Any]) -> String {
        JSON.text(members.merging(["workingDir": "/tmp"]) { $1 })
    }

    private static let (all, first, last) = ("/api/sessions", "/api/sessions/{first}", "/api/sessions/{id}")

    private static let both = #"{"error":"Must provide either 'text' or 'key', not both"}"#
    private static let sized = #"{"cols":60,"rows":12,"success":true}"#
    private static let cleanedUp = #"{"localCleaned":2,"message":"2 exited sessions cleaned up","success":true}"#

    static let requests = [
        Request("health", "GET", "/api/health", as: nil, #"{"mode":"normal","status":"ok","timestamp":"{time}"}"#),
        Request("list-unauthenticated", "GET", all, as: nil, status: 401, unauthenticated),
        Request("list-wrong-password", "GET", all, as: .wrong, status: 401, unauthenticated),
        Request("list-empty", "GET", all, "[]"),
        Request("create-no-command", "POST", all, sending: body([:]), status: 400, invalid),
        Request("create-string-command", "POST", all, sending: #"{"command":"bash"}"#, status: 400, invalid),
        Request("create", "POST", all, sending: body(shell), created),
        Request("get", "GET", first, line("{first}", bash, "work", "running")),
        Request("get-unknown", "GET", "\(all)/no-such", status: 404, #"{"error":"Session not found"}"#),
        Request("list-one", "GET", all, "[\(line("{first}", bash, "work", "running", ["source": "local"]))]"),
        Request("input-text", "POST", "\(first)/input", sending: JSON.text(["text": printing + "\r"]), success),
        Request("input-key", "POST", "\(first)/input", sending: #"{"text":"arrow_up"}"#, success),
        Request("input-key-field", "POST", "\(first)/input", sending: #"{"key":"enter"}"#, success),
        Request("input-empty", "POST", "\(first)/input", sending: "{}", status: 400, both),
        Request("resize", "POST", "\(first)/resize", sending: #"{"cols":60,"rows":12}"#, sized),
        Request("resize-bad", "POST", "\(first)/resize", sending: #"{"cols":0,"rows":-1}"#, status: 400, invalid),
        Request("buffer", "GET", "\(first)/buffer"),
        Request("snapshot", "GET", "\(first)/snapshot", status: 404, unknown),
        Request("text", "GET", "\(first)/text", status: 404, unknown),
        Request("input-2", "POST", "\(first)/input", sending: #"{"text":"clear; echo hi; seq 1 5\r"}"#, success),
        Request("create-exit3", "POST", all, sending: body(["command": exit3, "name": "three"]), created),
        Request("get-exit3", "GET", last, line("{id}", exit3, "three", "exited")),
        Request("create-exit0", "POST", all, sending: body(["command": exit0]), created),
        Request("get-exit0", "GET", last, line("{id}", exit0, "sh", "exited")),
        Request("input-ended", "POST", "\(last)/input", sending: #"{"text":"x"}"#, status: nil),
        Request("create-not-found", "POST", all, sending: body(["command": [program]]), status: 500, noProgram),
        Request("kill", "DELETE", first, killed),
        Request("get-killed", "GET", first, line("{first}", bash, "work", "exited")),
        Request("kill-again", "DELETE", first, killed),
        Request("cleanup-one", "DELETE", "\(first)/cleanup", #"{"message":"Session cleaned up","success":true}"#),
        Request("cleanup-exited", "POST", "/api/cleanup-exited", cleanedUp),
        Request("list-after", "GET", all, "[]"),
        Request("unknown-api", "GET", "/api/nothing", status: 404, unknown),
        Request("v3-probe", "GET", "/ws"),
    ]

    /// The answers of vt where they differ, and why.
    static let differences = [
        "get": (200, own("{first}", bash, "work", "running", 100, 30)),
        "list-one": (200, "[\(own("{first}", bash, "work", "running", 100, 30, ["source": "local"]))]"),
        // Served by all servers since June 2025.
        "text": (200, #""{any}""#),
        "get-exit3": (200, own("{id}", exit3, "three", "exited", 80, 24, ["exitCode": 3])),
        "get-exit0": (200, own("{id}", exit0, "sh", "exited", 80, 24, ["exitCode": 0])),
        // The server of June 2025 does not answer; later ones do.
        "input-ended": (400, #"{"error":"Session is not running"}"#),
        "create-not-found": (404, #"{"error":"{any}"}"#),
        "get-killed": (200, own("{first}", bash, "work", "exited", 60, 12, ["exitCode": "{any}"])),
        // vt has version 3, and the request is not a valid handshake.
        "v3-probe": (426, #""{any}""#),
    ]

    // MARK: - Streams

    private static let header: [String: any Sendable] = [
        "version": 2, "width": 80, "height": 24, "timestamp": "{time}", "env": ["TERM": "xterm-256color"],
    ]

    private static func header(_ command: [String]) -> [String: any Sendable] {
        header.merging(["command": command.joined(separator: " ")]) { $1 }
    }

    static let live = [
        "\u{1B}[?2004hbash-5.2# ",
        printing + "\r\n\u{1B}[?2004l\rhéllo \u{1B}[1;31mred\u{1B}[0m \u{1B}[48;2;1;2;3mrgb\u{1B}[0m 世界\r\n"
            + "\u{1B}[?2004h$ ",
        "\r\u{1B}[K\r$ arrow_up\r\n\u{1B}[?2004l\rbash: arrow_up: command not found\r\n\u{1B}[?2004h$ ",
        "clear; echo hi; seq 1 5\r\n\u{1B}[?2004l\r\u{1B}[H\u{1B}[2J\u{1B}[3Jhi\r\n1\r\n2\r\n3\r\n4\r\n5\r\n"
            + "\u{1B}[?2004h$ ",
    ]

    private static func exit(_ code: Int) -> [any Sendable] { ["exit", code, "{id}"] }

    /// The events of a shell that is killed, of a session that exits with 3, and of one that has ended; that of June 2025
    /// sends the history twice, and has lost the output of the latter.
    static let streams: [String: [any Sendable]] = [
        "live": [header, live[0], header, live.joined(), exit(-1)],
        "exit3": [header, "out\r\n", header, "out\r\n", exit(3)],
        "ended": [header, exit(0)],
    ]
    /// The events that vt sends.
    static let ownStreams: [String: [any Sendable]] = [
        "exit3": [header(exit3), "out\r\n", exit(3)],
        "ended": [header(exit0), "ok\r\n", exit(0)],
    ]

    /// The events, with the data of adjacent outputs joined.
    static func joined(_ events: [Any]) -> [Any] {
        events.reduce(into: []) { result, event in
            guard let event = event as? [Any], event[1] as? String == "o", let data = event[2] as? String else {
                return result.append(event)
            }
            if let last = result.last as? String {
                result[result.count - 1] = last + data
            } else {
                result.append(data)
            }
        }
    }

    // MARK: - Frames

    enum Message {
        case frame(UInt8, String, [UInt8])
        /// A binary message that is no frame.
        case garbage
        case text
    }

    static let exit3Version3 = ["sh", "-c", #"echo begin; sleep 2; printf 'caf\303\251 \377 end\n'; exit 3"#]
    static let start = "\u{1B}[?2004hbash-5.2# "
    static let echo = "echo héllo\r\n\u{1B}[?2004l\rhéllo\r\n\u{1B}[?2004hbash-5.2# "
    static let enter = "\r\n\u{1B}[?2004l\r\u{1B}[?2004hbash-5.2# "
    static let redrawn = "\r\u{1B}[K\rbash-5.2# "

    private static func event(_ members: [String: Any], _ session: String = "s1") -> VibeTunnelMessage {
        VibeTunnelMessage(.event, JSON.text(members), in: session)
    }

    private static func began(_ command: [String], _ session: String = "s1") -> VibeTunnelMessage {
        let header = header(command).filter { $0.key != "env" }
        return event(["kind": "header", "header": header], session)
    }

    private static func output(_ text: String, _ session: String = "s1") -> VibeTunnelMessage {
        VibeTunnelMessage(.output, text, in: session)
    }

    private static func failure(_ message: String, _ session: String = "") -> VibeTunnelMessage {
        VibeTunnelMessage(.failure, JSON.text(["message": message]), in: session)
    }

    private static let resized = event(["kind": "resize", "dimensions": "132x43"])
    private static let ended = [
        output("begin\r\ncafé \u{FFFD} end\r\n", "s2"), event(["kind": "exit", "exitCode": 3], "s2"),
    ]

    private static func subscription(_ session: String, _ flags: UInt8) -> Message {
        .frame(10, session, [flags] + [UInt8](repeating: 0, count: 11))
    }

    private static let typed = Array("echo héllo\r".utf8)

    /// What a client sends over /ws, and what the hub of upstream answers, with adjacent output joined.
    static let frames: [(Message, [VibeTunnelMessage])] = [
        (subscription("", 4), [event(["type": "connected", "timestamp": "{time}"], "")]),
        (subscription("s1", 5), [began(bash), output(start)]),
        (subscription("s1", 5), [began(bash), output(start)]),
        (.frame(30, "s1", typed), [output(echo)]),
        (.frame(31, "s1", Array("enter".utf8)), [output(enter)]),
        (.frame(32, "s1", [132, 0, 0, 0, 43, 0, 0, 0]), [resized, output(redrawn)]),
        (subscription("s2", 5), [began(exit3Version3, "s2")] + ended),
        (subscription("s2", 1), ended),
        (
            subscription("s1", 7),
            [
                began(bash), output(start + echo + enter), resized, output(redrawn),
                VibeTunnelMessage(.snapshot, #""{any}""#, in: "s1"),
            ]
        ),
        (.frame(40, "", [1, 2, 3]), [VibeTunnelMessage(.pong, "\u{1}\u{2}\u{3}")]),
        (.frame(10, "s1", [1]), [failure("Invalid SUBSCRIBE payload", "s1")]),
        (subscription("no-such", 5), [failure("Session paths not found", "no-such")]),
        (.frame(30, "", [120]), [failure("Missing sessionId for INPUT_TEXT")]),
        (.frame(30, "no-such", [120]), [failure("Session not found", "no-such")]),
        (.frame(32, "s1", [1]), [failure("Invalid RESIZE payload", "s1")]),
        (.garbage, []),
        (.text, []),
        (.frame(99, "s1", []), []),
        (.frame(33, "s1", Array("SIGKILL".utf8)), [event(["kind": "exit", "exitCode": 137])]),
    ]
    /// Sent when the second session ends.
    static let news = #"{"type":"session-exit","sessionId":"s2","exitCode":3,"timestamp":"{time}"}"#

    /// The rows of the snapshot after the subscription with snapshots.
    static let snapshotRows = {
        let prompt = "0162016101730168012d0135012e0132012300"
        return "fd1400\(prompt)016501630168016f0001684202c3a9016c016c016ffd050001684202c3a9016c016c016f"
            + "fd0a00\(prompt)fd0a00\(prompt)" + String(repeating: "fe01", count: 39)
    }()
}
