/// What a program told with OSC 133 about its prompt.
package struct PromptState: Hashable, Sendable {
    package enum Phase: String, Sendable {
        /// Nothing was told.
        case unknown
        case prompt
        /// The prompt is complete: something may be typed.
        case input
        /// A command runs.
        case output
        case ended
    }

    package var phase = Phase.unknown
    /// The status that the last command ended with.
    package var status: Int?
    /// How often a prompt was complete.
    package var count = 0

    package init() {}
}
