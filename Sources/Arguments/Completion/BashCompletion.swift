/// Renders the completion for bash(1) 4 or later, without other dependencies.
package struct BashCompletion: Sendable {
    private let tree: CommandTree

    package init(_ tree: CommandTree) {
        self.tree = tree
    }

    package func script() -> String {
        [Self.header, topics, descriptions(), valueKinds(), Self.engine].joined(separator: "\n")
    }

    private var topics: String {
        "_vt_topics='\(tree.overview.topics.map(\.name).joined(separator: " "))'\n"
    }

    /// Returns the shell function that sets the verbs, options and operands of a command.
    private func descriptions() -> String {
        var lines = [
            "# Sets the variables that describe the command $1.",
            "_vt_describe() {",
            "    verbs='' options='' valued='' omitters='' operands=()",
            "    case $1 in",
        ]
        for row in CompletionRow.all(of: tree) {
            lines.append("    \(row.name.inSingleQuotes))")
            if !row.words.isEmpty { lines.append("        verbs=\(list(row.words.map(\.name)))") }
            lines.append("        options=\(list(row.options.flatMap(\.forms)))")
            lines.append("        valued=\(list(row.valuedForms))")
            if !row.omitters.isEmpty { lines.append("        omitters=\(list(row.omitters.map { "--\($0)" }))") }
            if !row.operands.isEmpty {
                lines.append("        operands=(\(row.operands.map(operand).joined(separator: " ")))")
            }
            lines.append("        ;;")
        }
        return (lines + ["    *) return 1 ;;", "    esac", "}", ""]).joined(separator: "\n")
    }

    /// Returns the shell function that sets the completion kind of an option's value.
    private func valueKinds() -> String {
        var lines = [
            "# Sets the kind of value that option $2 of command $1 takes.",
            "_vt_value_kind() {",
            "    case \"$1 $2\" in",
        ]
        for spec in tree.visibleCommands {
            lines += spec.options.compactMap { option in
                arm(option) { "'\(spec.name) \($0)'" }
            }
        }
        lines += tree.globalOptions.compactMap { option in arm(option) { "*' \($0)'" } }
        return (lines + ["    *) kind=none ;;", "    esac", "}", ""]).joined(separator: "\n")
    }

    private func arm(_ option: OptionSpec, pattern: (String) -> String) -> String? {
        guard let value = option.value else { return nil }
        let words = (value.isList ? "list-of:" : "words:") + value.offered.joined(separator: " ")
        let kind = value.offered.isEmpty ? Self.kind(value.completion) : words
        guard kind != "none" else { return nil }
        return "    \(option.forms.map(pattern).joined(separator: " | "))) kind=\(kind.inSingleQuotes) ;;"
    }

    private func operand(_ operand: OperandSpec) -> String {
        let kind =
            operand.choices.isEmpty ? Self.kind(operand.completion) : "words:" + operand.choices.joined(separator: " ")
        return switch operand.arity {
        case .one, .optional: operand.choices.isEmpty ? kind : kind.inSingleQuotes
        case .oneOrMore, .zeroOrMore: operand.choices.isEmpty ? kind + "..." : (kind + "...").inSingleQuotes
        case .commandWords, .optionalCommandWords: "command"
        }
    }

    private static func kind(_ completion: CompletionKind) -> String {
        if let list = completion.dynamicList { return "list:\(list)" }
        return switch completion {
        case .file: "file"
        case .directory: "directory"
        case .anyFile: "any"
        case .command: "command"
        case .environmentName: "environment"
        case .helpTopic: "topic"
        case .none, .profile, .remoteFile, .target, .session, .hostName, .knownHost, .key, .keyName, .tag: "none"
        }
    }

    private func list(_ words: [String]) -> String {
        words.joined(separator: " ").inSingleQuotes
    }

    private static let header = """
        # bash completion for vt. Generated from the command table by 'make generate'.

        """

    /// Joins the words that readline has split, and trims the candidates accordingly.
    ///
    /// Readline splits words at `COMP_WORDBREAKS`: `--color=always` arrives as three pieces, and only the last one is
    /// replaced. Candidates from `vt complete` are compared with the unquoted word. They are quoted unless the word
    /// starts with a quote, because bash would expand `[web]:2222` as a pattern. Readline quotes file names itself.
    private static let engine = #"""
        # Sets the candidates of kind $1 that start with $2.
        _vt_candidates() {
            case $1 in
            words:*)
                mapfile -t candidates < <(compgen -W "${1#words:}" -- "$2")
                [[ ${candidates[*]} == *= ]] && compopt -o nospace 2>/dev/null
                ;;
            list-of:*)
                compopt -o nospace 2>/dev/null
                mapfile -t candidates < <(compgen -P "${2%"${2##*,}"}" -W "${1#list-of:}" -- "${2##*,}")
                ;;
            list:*)
                mapfile -t candidates < <(vt complete "${1#list:}" -- "$2" 2>/dev/null)
                [[ $1 == list:files && ${candidates[*]} == *[:/] ]] && compopt -o nospace 2>/dev/null
                ;;
            file)
                compopt -o filenames 2>/dev/null
                mapfile -t candidates < <(compgen -f -- "$2")
                ;;
            directory)
                compopt -o filenames 2>/dev/null
                mapfile -t candidates < <(compgen -d -- "$2")
                ;;
            command) mapfile -t candidates < <(compgen -c -- "$2" | sort -u) ;;
            environment) mapfile -t candidates < <(compgen -e -- "$2") ;;
            esac
        }

        # Sets the kind of the next operand.
        _vt_operand_kind() {
            local last=$((${#operands[@]} - 1))
            if ((last >= 0 && taken > last)); then
                case ${operands[last]} in
                command) kind=file ;;
                *...) kind=${operands[last]%...} ;;
                esac
            else
                kind=${operands[taken]%...}
            fi
            if [[ $kind == topic ]]; then
                _vt_describe "$topic" && kind="words:$verbs$([[ -z $topic ]] && printf ' %s' "$_vt_topics")"
            fi
        }

        # Sets 'quoted' to $1 with a backslash before each character special to the shell.
        _vt_quote() {
            local index character
            quoted=''
            for ((index = 0; index < ${#1}; index++)); do
                character=${1:index:1}
                [[ $character == [[:alnum:]@%+=:,./_~-] ]] || quoted+=\\
                quoted+=$character
            done
        }

        _vt() {
            local words=() candidates=() index piece rest=$COMP_LINE stripped
            for ((index = 0; index <= COMP_CWORD; index++)); do
                piece=${COMP_WORDS[index]}
                stripped=${rest#"${rest%%[![:space:]]*}"}
                if ((index == 0)) || [[ $stripped != "$rest" ]]; then
                    words+=("$piece")
                else
                    words[${#words[@]} - 1]+=$piece
                fi
                rest=${stripped#"$piece"}
            done

            local last=$((${#words[@]} - 1)) path='' option='' ended='' taken=0 topic='' kind=none prefix='' word
            local verbs options valued omitters operands
            _vt_describe ''
            for ((index = 1; index < last; index++)); do
                word=${words[index]}
                if [[ -z $ended && $word == -- ]]; then
                    ended=1
                elif [[ -z $ended && $word == -?* ]]; then
                    if [[ " $omitters " == *" ${word%%=*} "* ]]; then
                        operands=("${operands[@]:1}") omitters=''
                    fi
                    if [[ " $valued " == *" $word "* ]] && ((++index == last)); then
                        option=$word
                    fi
                elif [[ -n $verbs ]]; then
                    path+=${path:+ }$word
                    _vt_describe "$path" || return 0
                else
                    if [[ ${operands[taken]} == command ]]; then
                        ended=1
                    fi
                    topic+=${topic:+ }$word
                    ((taken += 1))
                fi
            done

            local cur=${words[last]}
            if [[ -n $option ]]; then
                _vt_value_kind "$path" "$option"
            elif [[ -z $ended && $cur == --*=* ]]; then
                prefix=${cur%%=*}=
                _vt_value_kind "$path" "${cur%%=*}"
            elif [[ -z $ended && $cur == -* ]]; then
                kind=words:$options
            elif [[ -n $verbs ]]; then
                kind=words:$verbs
                [[ -n $path ]] || kind+=" $(vt complete plugins -- "$cur" 2>/dev/null)"
            else
                _vt_operand_kind
            fi
            if [[ $kind == any ]]; then
                kind=file
                if [[ $cur == *:* && ${cur%%:*} != */* || -z $(compgen -f -- "$cur") ]]; then
                    kind=list:files
                fi
            fi
            local head=${cur%"$piece"} candidate quote='' quoted
            if [[ -n $piece && -z ${piece//[=:]/} ]]; then
                head=$cur
            fi
            if [[ $kind == list:* ]]; then
                if [[ $cur == [\'\"]* ]]; then
                    quote=${cur:0:1} cur=${cur:1} head=${head#[\'\"]}
                else
                    cur=${cur//\\/} head=${head//\\/}
                fi
            fi
            _vt_candidates "$kind" "${cur#"$prefix"}"

            COMPREPLY=()
            for candidate in "${candidates[@]}"; do
                candidate=$prefix$candidate
                quoted=${candidate#"$head"}
                [[ $kind == list:* && -z $quote ]] && _vt_quote "$quoted"
                COMPREPLY+=("$quoted")
            done
        }

        complete -F _vt vt

        """#
}
