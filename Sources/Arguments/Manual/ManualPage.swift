import Core

/// Renders the manual pages in mdoc(7).
package struct ManualPage: Sendable {
    private let tree: CommandTree

    package init(_ tree: CommandTree) {
        self.tree = tree
    }

    /// Returns all pages by file name: `vt.1`, and one per group and visible command.
    package func all() -> [String: String] {
        let groups = tree.visibleGroups.map { ("\(pageName([$0.name])).1", group($0)) }
        let pages = tree.visibleCommands.map { (fileName($0), command($0)) }
        return Dictionary([("vt.1", overview())] + groups + pages) { $1 }
    }

    /// Returns the page for a command.
    func command(_ spec: CommandSpec) -> String {
        var lines = heading(pageName(spec.path), spec.summary)
        lines += [".Sh SYNOPSIS", ".Nm \(MdocText.literal("vt \(spec.name)"))"]
        if !spec.options.isEmpty { lines.append(".Op Ar OPTIONS") }
        lines += spec.operands.map(synopsis)
        lines.append(".Sh DESCRIPTION")
        lines += Array(spec.description.map { [MdocText.paragraph($0)] }.joined(separator: [".Pp"]))
        let groups = spec.optionGroups
        if let own = groups.first(where: { $0.heading == nil }) {
            lines += [".Pp", "The options are as follows:"] + list(own.options)
            lines += [".Pp", "The global options are described in"]
        } else {
            lines += [".Pp", "This command also accepts the global options described in"]
        }
        lines.append(".Xr vt 1 .")
        for group in groups {
            if let heading = group.heading { lines += [".Ss \(heading)"] + list(group.options) }
        }
        lines += files(spec.files) + exitStatus(ExitStatusRow.rows(of: spec)) + examples(spec.examples)
        return finished(lines, seeAlso: [["vt"]] + related(to: spec))
    }

    /// Returns the page for a group of commands.
    func group(_ spec: GroupSpec) -> String {
        var lines = heading(pageName([spec.name]), spec.summary)
        lines += [".Sh SYNOPSIS", ".Nm \(MdocText.literal("vt \(spec.name)"))", ".Ar COMMAND", ".Op Ar ..."]
        lines += [".Sh DESCRIPTION", "The commands are as follows:"]
        lines += list(tree.verbs(of: spec.name))
        lines += [".Pp", "They also accept the global options described in", ".Xr vt 1 ."]
        return finished(lines, seeAlso: [["vt"]])
    }

    /// Returns the page for vt as a whole.
    func overview() -> String {
        var lines = heading("vt", tree.overview.summary)
        lines += [".Sh SYNOPSIS", ".Nm vt", ".Op Ar OPTIONS", ".Ar COMMAND", ".Op Ar ..."]
        lines.append(".Sh DESCRIPTION")
        lines += tree.overview.description.map { [MdocText.running($0)] }.joined(separator: [".Pp"])
        for section in tree.commandsBySection {
            lines += [".Ss \(section.title)"] + list(section.commands)
        }
        lines += [".Ss Global options", "These options are accepted before or after the command name:"]
        lines += list(tree.globalOptions) + environment() + files(tree.overview.files)
        lines += exitStatus(ExitStatusRow.all) + examples(tree.overview.examples)
        let pages = tree.visibleGroups.map { [$0.name] } + tree.visibleCommands.map(\.path)
        return finished(lines, seeAlso: pages.map { ["vt"] + $0 })
    }

    package func fileName(_ spec: CommandSpec) -> String {
        "\(pageName(spec.path)).1"
    }

    // MARK: - Parts

    private func pageName(_ path: [String]) -> String {
        (path.first == "vt" ? path : ["vt"] + path).joined(separator: "-")
    }

    private func heading(_ name: String, _ summary: String) -> [String] {
        [
            ".\\\" Generated from the command table by 'make generate'.",
            ".Dd \(Self.monthFirst(tree.date))",
            ".Dt \(name.uppercased()) 1",
            ".Os \"vt \(tree.version)\"",
            ".Sh NAME",
            ".Nm \(MdocText.literal(name))",
            ".Nd \(MdocText.running(summary))",
        ]
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Turns `2026-11-21` into `November 21, 2026`; other text is returned unchanged.
    private static func monthFirst(_ date: String) -> String {
        let parts = date.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, months.indices.contains(parts[1] - 1) else { return date }
        return "\(months[parts[1] - 1]) \(parts[2]), \(parts[0])"
    }

    private func synopsis(_ operand: OperandSpec) -> String {
        let placeholder = "Ar \(MdocText.argument(operand.placeholder))"
        let isOmissible = !operand.omittedWith.isEmpty
        return switch operand.arity {
        case .one: isOmissible ? ".Op \(placeholder)" : ".\(placeholder)"
        case .optional: ".Op \(placeholder)"
        case .oneOrMore: isOmissible ? ".Op \(placeholder) ..." : ".\(placeholder) ..."
        case .zeroOrMore: ".Op \(placeholder) ..."
        case .commandWords: ".Op Fl \\&-\n.\(placeholder) ..."
        case .optionalCommandWords: ".Op Fl \\&- \(placeholder) ..."
        }
    }

    private func list(_ commands: [CommandSpec]) -> [String] {
        let entries = commands.flatMap { [".It Xr \(pageName($0.path)) 1", MdocText.running($0.summary)] }
        return [".Bl -tag -width Ds"] + entries + [".El"]
    }

    private func list(_ options: [OptionSpec]) -> [String] {
        let entries = options.flatMap { option in
            let shortForm = option.short.map { "Fl \($0) , " } ?? ""
            return [
                ".It \(shortForm)Fl \\-\(MdocText.literal(option.long))\(value(option.value))",
                MdocText.running(option.fullExplanation.sentence),
            ]
        }
        return [".Bl -tag -width Ds"] + entries + [".El"]
    }

    private func value(_ value: ValueSpec?) -> String {
        guard let value else { return "" }
        guard !value.shownChoices.isEmpty else { return " Ar \(MdocText.argument(value.placeholder))" }
        return value.shownChoices.map { " Cm \(MdocText.argument($0))" }.joined(separator: " |")
    }

    private func exitStatus(_ rows: [ExitStatusRow]) -> [String] {
        let entries = rows.flatMap { row in
            [".It \(MdocText.argument(row.exit))", MdocText.running(row.text.sentence)]
        }
        return [".Sh EXIT STATUS", ".Bl -tag -width Ds"] + entries + [".El"]
    }

    private func environment() -> [String] {
        [
            ".Sh ENVIRONMENT",
            ".Bl -tag -width Ds",
            ".It Ev VT_HOME",
            "Directory for all configuration and state.",
            ".It Ev XDG_CONFIG_HOME , XDG_STATE_HOME",
            "Base directories for configuration and state; vt uses the subdirectory",
            ".Pa vt",
            "of each.",
            "They default to",
            ".Pa ~/.config",
            "and",
            ".Pa ~/.local/state",
            "when unset.",
            ".It Ev VT_SHARE",
            "How long an unused connection to a server is kept for later commands, such as",
            ".Cm 5m ;",
            ".Cm off",
            "disables sharing.",
            "It takes precedence over the profile, and",
            ".Fl \\-no-share",
            "takes precedence over both.",
            ".It Ev VT_DETACH_KEY",
            "The key that detaches from a session, as with",
            ".Fl \\-detach-key .",
            ".It Ev VT_STT_ENGINE",
            "The engine of",
            ".Nm vt transcribe ,",
            "as with",
            ".Fl \\-engine .",
            ".It Ev NO_COLOR",
            "Disables colors unless",
            ".Fl \\-color Cm always",
            "is given.",
            ".El",
        ]
    }

    private func files(_ files: [FileSpec]) -> [String] {
        guard !files.isEmpty else { return [] }
        let entries = files.flatMap { [".It Pa \(MdocText.argument($0.path))", MdocText.running($0.summary.sentence)] }
        return [".Sh FILES", ".Bl -tag -width Ds"] + entries + [".El"]
    }

    private func examples(_ examples: [ExampleSpec]) -> [String] {
        guard !examples.isEmpty else { return [] }
        let entries = examples.map { example in
            [
                "\(MdocText.running(example.summary.sentence.dropLast())):",
                ".Pp",
                ".Dl \(MdocText.literal(example.command))",
            ]
        }
        return [".Sh EXAMPLES"] + entries.joined(separator: [".Pp"])
    }

    /// Returns the paths of the group of a command and of the other commands in its section, with `vt` as the first
    /// word.
    ///
    /// If the command belongs to a group, the commands of other groups are omitted.
    private func related(to spec: CommandSpec) -> [[String]] {
        let section = tree.commandsBySection.map(\.commands).first { $0.contains { $0.path == spec.path } } ?? []
        let isInGroup = spec.path.count > 1
        let others = section.filter { other in
            other.path != spec.path && (!isInGroup || other.path.count == 1 || other.path.first == spec.path.first)
        }
        return ((isInGroup ? [[spec.path[0]]] : []) + others.map(\.path)).map { ["vt"] + $0 }
    }

    private func finished(_ lines: [String], seeAlso paths: [[String]]) -> String {
        let names = paths.map(pageName).sorted()
        let references = names.map { ".Xr \($0) 1" + ($0 == names.last ? "" : " ,") }
        return (lines + [".Sh SEE ALSO"] + references).joined(separator: "\n") + "\n"
    }
}
