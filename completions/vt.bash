# Completion of vt for bash. Generated from the command table by 'make generate'.

# Sets what is known of the command $1.
_vt_describe() {
    verbs='' options='' valued='' omitters='' operands=()
    case $1 in
    '')
        verbs='help version'
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        ;;
    'help')
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        operands=(topic...)
        ;;
    'version')
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        ;;
    *) return 1 ;;
    esac
}

# Sets the kind of the value of option $2 of the command $1.
_vt_value_kind() {
    case "$1 $2" in
    *' --color') kind='words:auto always never' ;;
    *) kind=none ;;
    esac
}

# Sets the candidates of the kind $1 that begin with $2.
_vt_candidates() {
    case $1 in
    words:*) mapfile -t candidates < <(compgen -W "${1#words:}" -- "$2") ;;
    list:*) mapfile -t candidates < <(vt complete "${1#list:}" -- "$2" 2>/dev/null) ;;
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

# Sets the kind of the operand after those already taken.
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
        _vt_describe "$topic" && kind="words:$verbs$([[ -z $topic ]] && printf ' exit-codes')"
    fi
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
    else
        _vt_operand_kind
    fi
    _vt_candidates "$kind" "${cur#"$prefix"}"

    local head=${cur%"$piece"} candidate
    if [[ -n $piece && -z ${piece//[=:]/} ]]; then
        head=$cur
    fi
    COMPREPLY=()
    for candidate in "${candidates[@]}"; do
        candidate=$prefix$candidate
        COMPREPLY+=("${candidate#"$head"}")
    done
}

complete -F _vt vt
