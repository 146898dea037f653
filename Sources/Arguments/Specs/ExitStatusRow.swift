import Core

/// A row of the table of exit statuses.
package struct ExitStatusRow: Hashable, Sendable {
    /// A number, `n` or `128+n`.
    package var exit: String
    /// The error code in the output of `--json`, if there is one.
    package var code: String?
    /// A phrase without a period.
    package var meaning: String

    /// All exit statuses of vt.
    package static let all: [ExitStatusRow] =
        [ExitStatusRow(exit: "0", meaning: "success")] + VTError.Code.allCases.map(ExitStatusRow.init)
        + [signalled, passThroughFailure]

    package static let signalled = ExitStatusRow(exit: "128+n", meaning: "the program was terminated by signal n")
    package static let passThroughFailure = ExitStatusRow(
        exit: String(VTError.Code.passThroughFailure),
        meaning:
            "vt failed, where other statuses are those of a program"
    )

    init(exit: String, code: String? = nil, meaning: String) {
        self.exit = exit
        self.code = code
        self.meaning = meaning
    }

    init(_ code: VTError.Code) {
        self.init(exit: String(code.status), code: code.rawValue, meaning: code.meaning)
    }

    /// The exit statuses of a command, without those that mean the same error for all commands; none if it has no others.
    static func rows(of command: CommandSpec) -> [ExitStatusRow] {
        let codes = command.allExitCodes.filter(command.passesStatusThrough ? programCodes.contains : ownCodes.contains)
        let general = codes.filter { code in !command.statuses.contains { $0.key == Int(code.status) } }.map(
            ExitStatusRow.init
        )
        let specific = command.statuses.map { ExitStatusRow(exit: String($0.key), meaning: $0.value) }
        let rows = (specific + general).sorted { (Int($0.exit) ?? 0) < (Int($1.exit) ?? 0) }
        if command.passesStatusThrough {
            let program = ExitStatusRow(exit: "n", meaning: "the exit status of the program")
            return [program] + rows + [signalled, passThroughFailure]
        }
        let success = command.statuses.allSatisfy { $0.key != 0 } ? [ExitStatusRow(exit: "0", meaning: "success")] : []
        let words = command.passesStatusThroughWithCommand ? command.commandWords?.placeholder : nil
        let conditions = command.passesStatusThroughWith.map { "--\($0)" } + [words].compactMap(\.self)
        guard !conditions.isEmpty else { return rows.isEmpty ? [] : success + rows + [others] }
        let text = conditions.joined(separator: " or ")
        let program = ExitStatusRow(
            exit: "n",
            meaning: "with \(text), the exit status of the program, 128+n after signal n, 124 after a timeout, or 255 "
                + "for any error of vt"
        )
        return success + rows + [others, program]
    }

    private static let programCodes: Set<VTError.Code> = [.negative, .timedOut]
    private static let ownCodes: Set<VTError.Code> = [.negative, .ended, .exists, .busy, .timedOut]
    private static let others = ExitStatusRow(exit: "64-78", meaning: "an error ('vt help exit-codes')")

    /// The table as text, for `vt help exit-codes`.
    package static var table: String {
        let width = all.compactMap(\.code?.utf8.count).max() ?? 0
        let entries = all.map { row in
            let code = row.code ?? "-"
            let exit = row.exit + String(repeating: " ", count: 7 - row.exit.utf8.count)
            return (name: exit + code + String(repeating: " ", count: width - code.utf8.count), text: row.meaning)
        }
        let header = "  EXIT   CODE" + String(repeating: " ", count: width - 4) + "  MEANING"
        return ([header] + TextLayout.list(entries)).joined(separator: "\n") + "\n"
    }
}

extension ExitStatusRow: JSONDocument {
    package static let documentName = "exit status"
    package static let documentSummary = "an exit status of vt"

    package static let fields: JSONTable<Self> = [
        .field("exit", \.exit, "number, or `128+n`"),
        .field("code", \.code, "error class"),
        .field("meaning", \.meaning, "meaning, in one phrase"),
    ]
}
