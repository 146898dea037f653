/// How the character that was printed last may be joined by the next.
enum JoinState: UInt8 {
    /// The cursor was moved since.
    case moved
    case printed
    case pictograph
    /// A pictograph and U+200D: another pictograph joins.
    case joiner
    /// Half of a flag.
    case regional
    /// An Indic consonant, and one with a linker: another consonant joins.
    case consonant
    case linked
    /// The next character joins.
    case prepended
}
