import Core

/// How a program shows that it waits for a line.
package struct Repl: Sendable {
    /// The programs that are known.
    package enum Name: String, CaseIterable, Sendable {
        case python, ipython, node, psql, sqlite3, gdb, mysql, irb, ghci, bc
    }

    /// Nil for any other program.
    let name: Name?
    /// Matches the end of the text before the cursor; for any other program, possibly only the end of the prompt.
    let prompt: LinePattern
    /// Matches the text before the cursor where the program waits for the rest of a line.
    let continuation: LinePattern?
    /// Matches a line that says that something has failed.
    let error: LinePattern?
    /// Whether the program shows no prompt, so that it can wait in any row.
    var hasNoPrompt: Bool { name == .bc }

    /// - Throws: `usage` when neither a name nor a prompt is given; the expressions of the known programs are valid.
    package init(_ name: Name?, prompt: LinePattern? = nil) throws(VTError) {
        let patterns = name.flatMap { Self.patterns[$0] }
        self.name = name
        self.prompt = if let prompt { prompt } else { try LinePattern(patterns?.prompt ?? "") }
        continuation = try Self.pattern(patterns?.continuation)
        error = try Self.pattern(patterns.map { "^(\($0.error))" })
    }

    private static func pattern(_ text: String?) throws(VTError) -> LinePattern? {
        guard let text else { return nil }
        return try LinePattern(text)
    }

    private static let pythonErrors = #"(SyntaxError|IndentationError|TabError|KeyboardInterrupt|UsageError)(:|$)"#
    private static let patterns: [Name: (prompt: String, continuation: String?, error: String)] = [
        .python: (">>> $", #"^\.\.\. *$"#, pythonErrors + #"|Traceback \(most recent call last\):$"#),
        .ipython: (#"In \[\d+\]: $"#, #"^ *\.\.\.: *$"#, pythonErrors + #"|.*Traceback \(most recent call last\)$"#),
        .node: ("> $", #"^(\.\.\.+|\|) $"#, "Uncaught( |:|$)"),
        .psql: (
            "[^ ]*[=^!@][*!?]?[#>] $", #"^[^ ]*[-*'"$(][*!?]?[#>] $"#,
            #"(psql:[^ ]* )?(ERROR|FATAL|PANIC):  |(psql: )?error: |invalid command \\|\\[a-z]+\+?: "#
        ),
        .sqlite3: ("sqlite> $", #"^[^a-z]*\.\.\.> $"#, "((Parse|Runtime) error|Error)([: ]|$)"),
        .gdb: (
            #"\(gdb\) $"#, "^ *>$",
            "Undefined|Ambiguous|Invalid|Cannot|Can't|Attempt to|Argument required|Junk|Left operand|A syntax error|Error |"
                + "No (symbol|frame|stack|registers|thread|source|line|function|struct|breakpoint)|The program is not being|"
                + #"The history is empty|Function .* not defined|(Python )?Exception|.*: No such file or directory\.?$"#
        ),
        .mysql: (#"(mysql|(MariaDB|MySQL) [^>]*)> $"#, #"^ +(-|'|"|`|/\*)> $"#, #"ERROR( \d+ \(|:)"#),
        .irb: (
            #"irb\([^)]*\):\d+(:\d+)?> $"#, #"irb\([^)]*\):\d+(:\d+)?[]*"'/`] *$"#,
            #".*\([A-Z][A-Za-z:]*(Error|Exception|Interrupt)\)$|[^ ]*\(irb\):\d+: syntax error"#
        ),
        .ghci: (
            #"(ghci|Prelude|\*?[A-Z][A-Za-z.]*)( \*?[A-Z][A-Za-z.]*)*> $"#, #"^[A-Za-z.* ]*\| $"#,
            #"<interactive>:\d+:\d+: error|\*\*\* Exception"#
        ),
        // GNU bc has no prompt, and its output need not end with a line end.
        .bc: ("(>>> )?$", nil, #"\(standard_in\) \d+: |Runtime (error|warning)|(Parse|Math) error"#),
    ]

    /// A line that turns off the pager.
    var setup: String? { name == .psql ? #"\pset pager off"# : name == .gdb ? "set pagination off" : nil }
    /// Whether several lines are pasted as one, if the program supports bracketed paste.
    var pastesBlock: Bool { [.python, .ipython, .irb, nil].contains(name) }
    /// Whether an empty line ends a block.
    var closesBlocks: Bool { [.python, .ipython].contains(name) }
    /// Whether ^V keeps a tab from completing a word.
    var quotesTabs: Bool { ![.node, .ghci].contains(name) }
}
