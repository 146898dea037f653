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
            "vt itself failed, in a command that exits with the status of a program; see standard error or --json "
            + "for the error class"
    )

    init(exit: String, code: String? = nil, meaning: String) {
        self.exit = exit
        self.code = code
        self.meaning = meaning
    }

    init(_ code: VTError.Code) {
        self.init(exit: String(code.status), code: code.rawValue, meaning: code.meaning)
    }

    /// The exit statuses of a command.
    static func rows(of command: CommandSpec) -> [ExitStatusRow] {
        if command.passesStatusThrough {
            let program = ExitStatusRow(exit: "n", meaning: "the exit status of the program")
            let answer = command.exitCodes.contains(.negative) ? [Self(.negative)] : []
            let late = command.exitCodes.contains(.timedOut) ? [Self(.timedOut)] : []
            return [program] + answer + late + [signalled, passThroughFailure]
        }
        let options = command.passesStatusThroughWith
        let rows = [ExitStatusRow(exit: "0", meaning: "success")] + command.allExitCodes.map(ExitStatusRow.init)
        let command = command.passesStatusThroughWithCommand ? command.commandWords?.placeholder : nil
        let conditions = options.map { "--\($0)" } + [command].compactMap(\.self)
        guard !conditions.isEmpty else { return rows }
        let text = conditions.joined(separator: " or ")
        let program = ExitStatusRow(exit: "n", meaning: "with \(text), the exit status of the program")
        return rows + [program, signalled, passThroughFailure]
    }

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
