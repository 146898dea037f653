/// Renders the completion for zsh(1), to be installed as `_vt` in a directory of `fpath`.
package struct ZshCompletion: Sendable {
    private let tree: CommandTree

    package init(_ tree: CommandTree) {
        self.tree = tree
    }

    package func script() -> String {
        let rows = CompletionRow.all(of: tree)
        let functions = rows.map { $0.words.isEmpty ? command($0) : branch($0) }
        return ([Self.header, globals()] + functions + [Self.lists, topics(rows), Self.call]).joined(separator: "\n")
    }

    /// Returns the shell function for vt itself or a group.
    private func branch(_ row: CompletionRow) -> String {
        let words = row.words.map { "        \(describing($0.name, $0.summary))" }
        let cases = row.words.map { word in
            "            \(word.name)) \(function(row.path + [word.name])) && ret=0 ;;"
        }
        // Programs `vt-NAME` on PATH.
        let call = "_call_program plugins vt complete plugins -- ${(q)${(Q)PREFIX}} 2>/dev/null"
        let plugins = row.path.isEmpty ? "\n        words_here+=(${(f)\"$(\(call))\"})\n        " : " "
        return """
            \(function(row.path))() {
                local curcontext=$curcontext context state state_descr line ret=1
                typeset -A opt_args
                local -a words_here=(
            \(words.joined(separator: "\n"))
                )
                _arguments -C -s -S $_vt_globals '1: :->word' '*:: :->rest' && ret=0
                case $state in
                word)\(plugins)_describe -t commands 'command' words_here && ret=0 ;;
                rest)
                    curcontext="${curcontext%:*}-$line[1]:"
                    case $line[1] in
            \(cases.joined(separator: "\n"))
                    esac
                    ;;
                esac
                return ret
            }

            """
    }

    /// Returns the shell function for a command.
    private func command(_ row: CompletionRow) -> String {
        let own = row.options.dropLast(tree.globalOptions.count).map(option)
        let operands = row.operands.enumerated().map { operand($1, position: $0 + 1) }
        let options = own.map { "        \($0)\n" }.joined()
        return """
            \(function(row.path))() {
                local -a own=(
            \(options)    )
                _arguments -s -S $_vt_globals $own\(operands.map { " \\\n        \($0)" }.joined())
            }

            """
    }

    private func globals() -> String {
        let lines = tree.globalOptions.map { "    \(option($0))" }
        return """
            typeset -ga _vt_globals=(
            \(lines.joined(separator: "\n"))
            )

            """
    }

    // MARK: - The specs of _arguments

    private func option(_ option: OptionSpec) -> String {
        var excluded = option.excludes.map { "--\($0)" }
        if !option.isRepeatable { excluded += option.forms }
        var guards = excluded.isEmpty ? "" : "(\(excluded.joined(separator: " ")))"
        if option.isRepeatable { guards += "*" }
        let rest = "[\(escaped(option.summary))]" + value(option.value)
        let forms = option.forms.map { form in
            option.value == nil ? form : form + (form.hasPrefix("--") ? "=" : "+")
        }
        guard forms.count > 1 else { return (guards + forms.joined() + rest).inSingleQuotes }
        return "\(guards.inSingleQuotes){\(forms.joined(separator: ","))}\(rest.inSingleQuotes)"
    }

    private func value(_ value: ValueSpec?) -> String {
        guard let value else { return "" }
        return ":\(escaped(value.placeholder)):\(action(value))"
    }

    private func action(_ value: ValueSpec) -> String {
        guard !value.offered.isEmpty else { return action(value.completion) }
        let words = value.offered.joined(separator: " ")
        if value.isList { return "_sequence compadd - \(words)" }
        // A word that continues with a value is not followed by a space.
        return value.offered.allSatisfy { $0.hasSuffix("=") } ? "compadd -S \"\" - \(words)" : "(\(words))"
    }

    private func operand(_ operand: OperandSpec, position: Int) -> String {
        let label = escaped(operand.placeholder)
        let action =
            operand.choices.isEmpty ? action(operand.completion) : "(\(operand.choices.joined(separator: " ")))"
        let guards =
            operand.omittedWith.isEmpty ? "" : "(\(operand.omittedWith.map { "--\($0)" }.joined(separator: " ")))"
        let spec =
            switch operand.arity {
            case .one: "\(guards)\(position):\(label):\(action)"
            case .optional: "\(guards)\(position)::\(label):\(action)"
            case .oneOrMore, .zeroOrMore: "*:\(label):\(action)"
            case .commandWords, .optionalCommandWords: "*:::\(label): _vt_command_words"
            }
        return spec.inSingleQuotes
    }

    private func action(_ completion: CompletionKind) -> String {
        if let list = completion.dynamicList { return " _vt_list \(list)" }
        return switch completion {
        case .file: "_files"
        case .directory: "_files -/"
        case .anyFile: " _vt_files"
        case .command: "_command_names -e"
        case .environmentName: "_parameters -g \"*export*\""
        case .helpTopic: " _vt_topics"
        case .none, .profile, .remoteFile, .target, .session, .hostName, .knownHost, .key, .keyName, .tag: " "
        }
    }

    private func topics(_ rows: [CompletionRow]) -> String {
        let topics = rows.map(\.name).filter { !$0.isEmpty } + tree.overview.topics.map(\.name)
        let words = topics.map { "        \($0.inSingleQuotes)" }
        return """
            _vt_topics() {
                local -a topics=(
            \(words.joined(separator: "\n"))
                )
                compadd -a topics
            }

            """
    }

    // MARK: - Text

    private func function(_ path: [String]) -> String {
        (["_vt"] + path).joined(separator: "_")
    }

    private func describing(_ name: String, _ summary: String) -> String {
        "\(name):\(summary)".inSingleQuotes
    }

    private func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "\\[]:".contains(character) { result += "\\" }
            result.append(character)
        }
    }

    private static let header = """
        #compdef vt
        # zsh completion for vt. Generated from the command table by 'make generate'.

        """

    private static let lists = """
        _vt_list() {
            local -a candidates=(${(f)"$(_call_program $1 vt complete $1 -- ${(q)${(Q)PREFIX}} 2>/dev/null)"})
            # Directories and servers are followed by more of the word.
            local -a unfinished=(${(M)candidates:#*[:/]})
            [[ $1 == files ]] || unfinished=()
            candidates=(${candidates:|unfinished})
            compadd -S '' -a unfinished
            compadd -a candidates || (( $#unfinished ))
        }

        _vt_files() {
            if [[ $PREFIX == *:* && ${PREFIX%%:*} != */* ]]; then
                _vt_list files
            else
                _files || _vt_list files
            fi
        }

        # Completes the command to run, or an option where one is still allowed.
        _vt_command_words() {
            if (( CURRENT == 1 )) && [[ $PREFIX == -* ]]; then
                words=(vt "$words[@]")
                (( CURRENT++ ))
                _arguments -s $_vt_globals $own
            else
                _normal
            fi
        }

        """

    /// The file is either the body of the function `_vt`, or is read by source.
    private static let call = """
        if [[ $funcstack[1] == _vt ]]; then
            _vt "$@"
        else
            compdef _vt vt
        fi

        """
}
