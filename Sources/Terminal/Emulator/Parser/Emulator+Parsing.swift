extension Emulator {
    /// Whether no control sequence is open, so that the next printable character would be shown.
    package var isBetweenSequences: Bool { parser.state == .ground }
}
