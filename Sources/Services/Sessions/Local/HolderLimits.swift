/// Timeouts for detecting a holder that has stopped responding.
///
/// A stopped holder (SIGSTOP) keeps its socket and files open, so waiting for its output would never end.
package struct HolderLimits: Sendable {
    /// How long a holder may send nothing before its status is requested.
    var silence: Duration
    /// How long the holder may take to answer; it may be processing output on a busy machine.
    var answer: Duration

    /// How long a holder may take to answer while it is running, or waiting for a disk, on an overloaded machine.
    static let busy = Duration.seconds(60)

    package init(silence: Duration = .seconds(5), answer: Duration = .seconds(10)) {
        self.silence = silence
        self.answer = answer
    }
}
