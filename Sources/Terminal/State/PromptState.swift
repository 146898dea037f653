/// The prompt state reported by a program with OSC 133.
package struct PromptState: Hashable, Sendable {
    package enum Phase: String, Sendable {
        /// Nothing has been reported.
        case unknown
        case prompt
        /// The prompt is complete, and input is possible.
        case input
        /// A command is running.
        case output
        case ended
    }

    package var phase = Phase.unknown
    /// The exit status of the last command.
    package var status: Int?
    /// How many times a prompt was completed.
    package var count = 0

    package init() {}
}
