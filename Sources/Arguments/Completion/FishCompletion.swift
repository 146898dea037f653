/// Renders the completion for fish(1).
package struct FishCompletion: Sendable {
    private let tree: CommandTree

    package init(_ tree: CommandTree) {
        self.tree = tree
    }

    package func script() -> String {
        let rows = CompletionRow.all(of: tree)
        let rules = ["complete -c vt -f", ""] + rows.flatMap { self.rules($0) + [""] }
        return [Self.header, valued(rows), Self.functions, rules.joined(separator: "\n")].joined(separator: "\n")
    }

    /// Returns the shell function that prints the options of a command that take a value.
    private func valued(_ rows: [CompletionRow]) -> String {
        let cases = rows.filter { !$0.path.isEmpty && $0.words.isEmpty && !$0.valuedForms.isEmpty }.map { row in
            """
                    case \(quoted(row.name)) \(quoted(row.name + " *"))
                        printf '%s\\n' \(row.valuedForms.joined(separator: " "))
            """
        }
        let global = tree.globalOptions.filter { $0.value != nil }.flatMap(\.forms)
        return """
            # Prints the options of command $argv[1] that take a value.
            function __vt_valued
                switch $argv[1]
            \(cases.joined(separator: "\n"))
                    case '*'
                        printf '%s\\n' \(global.joined(separator: " "))
                end
            end

            """
    }

    private func rules(_ row: CompletionRow) -> [String] {
        let words = row.words.map { word in
            rule(at(row, 0, 0), "-a \(word.name) -d \(quoted(word.summary))")
        }
        // After vt itself or a group, options are offered only until another word follows.
        let isCommand = row.words.isEmpty
        let limit = row.operands.last?.arity.isCommand == true ? row.operands.count - 1 : Self.unlimited
        let options = row.options.map { option in
            rule(at(row, 0, isCommand ? limit : 0), self.option(option))
        }
        let operands = row.operands.enumerated().flatMap { operand($1, position: $0, of: row) }
        let plugins = row.path.isEmpty ? [rule(at(row, 0, 0), "-a '(__vt_list plugins)'")] : []
        return words + plugins + operands + options
    }

    private func option(_ option: OptionSpec) -> String {
        let short = option.short.map { "-s \($0) " } ?? ""
        let value = option.value.map { value in
            let words = value.offered.joined(separator: " ")
            return value.offered.isEmpty
                ? "-r \(arguments(value.completion)) "
                : "-x -a \(quoted(value.isList ? "(__fish_append , \(words))" : words)) "
        }
        return "\(short)-l \(option.long) \(value ?? "")-d \(quoted(option.summary))"
    }

    private func operand(_ operand: OperandSpec, position: Int, of row: CompletionRow) -> [String] {
        guard operand.completion != .none || !operand.choices.isEmpty else { return [] }
        let isOmissible = !row.omitters.isEmpty
        let contains = "__fish_contains_opt \(row.omitters.joined(separator: " "))"
        let offered =
            operand.choices.isEmpty
            ? arguments(operand.completion) : "-f -a \(quoted(operand.choices.joined(separator: " ")))"
        switch operand.arity {
        case .one, .optional:
            let condition = at(row, position, position)
            return [rule(isOmissible ? "\(condition); and not \(contains)" : condition, offered)]
        case .oneOrMore, .zeroOrMore:
            return [rule(at(row, position, Self.unlimited), offered)]
        case .commandWords, .optionalCommandWords:
            let early = isOmissible ? [rule("\(at(row, 0, 0)); and \(contains)", offered)] : []
            return early + [
                rule(at(row, position, position), offered), rule(at(row, position + 1, Self.unlimited), "-F"),
            ]
        }
    }

    private func arguments(_ completion: CompletionKind) -> String {
        if let list = completion.dynamicList { return "-f -a '(__vt_list \(list))'" }
        return switch completion {
        case .file: "-F"
        case .anyFile: "-F -a '(__vt_list files)'"
        case .directory: "-f -a '(__fish_complete_directories (commandline -ct))'"
        case .command: "-f -a '(__fish_complete_command)'"
        case .environmentName: "-f -a '(set -nx)'"
        case .helpTopic: "-f -a \(quoted((tree.firstWords + tree.overview.topics.map(\.name)).joined(separator: " ")))"
        case .none, .profile, .remoteFile, .target, .session, .hostName, .knownHost, .key, .keyName, .tag: "-f"
        }
    }

    private func at(_ row: CompletionRow, _ least: Int, _ most: Int) -> String {
        (["__vt_at", String(least), String(most)] + row.path).joined(separator: " ")
    }

    private func rule(_ condition: String, _ rest: String) -> String {
        "complete -c vt -n \(quoted(condition)) \(rest)"
    }

    /// Returns the text in single quotes, where fish interprets only `\'` and `\\`.
    private func quoted(_ text: String) -> String {
        text.reduce(into: "'") { result, character in
            if character == "'" || character == "\\" { result += "\\" }
            result.append(character)
        } + "'"
    }

    private static let unlimited = 99

    private static let header = """
        # fish completion for vt. Generated from the command table by 'make generate'.

        """

    private static let functions = """
        # Prints the words before the cursor that are not options.
        function __vt_words
            set -l path ''
            set -l skips no
            set -l ended no
            for word in (commandline -opc)[2..-1]
                if test $skips = yes
                    set skips no
                    continue
                end
                if test $ended = no
                    switch $word
                        case --
                            set ended yes
                            continue
                        case '--*=*'
                            continue
                        case '-?*'
                            contains -- $word (__vt_valued "$path")
                            and set skips yes
                            continue
                    end
                end
                printf '%s\\n' $word
                set path (string trim -- "$path $word")
            end
        end

        # Succeeds if the words are the path $argv[3..-1], followed by $argv[1] to $argv[2] more words.
        function __vt_at
            set -l words (__vt_words)
            set -l path $argv[3..-1]
            set -l further (math (count $words) - (count $path))
            test $further -ge $argv[1] -a $further -le $argv[2]
            or return 1
            test (count $path) -eq 0
            or test "$words[1..$(count $path)]" = "$path"
        end

        function __vt_list
            vt complete $argv[1] -- (commandline -ct | string replace -r -- '^--[^=]*=' '') 2>/dev/null
        end

        """
}
