/// How the next character may join the one printed last.
enum JoinState {
    /// The cursor has moved since that character was printed.
    case moved
    case printed
    case pictograph
    /// A pictograph and U+200D, which a second pictograph joins.
    case joiner
    /// Half of a flag.
    case regional
    /// An Indic consonant, which a linker joins.
    case consonant
    /// An Indic consonant and a linker, which a second consonant joins.
    case linked
    /// A prepended character, which the next character joins.
    case prepended
}
