/// Timeouts for detecting a holder that has stopped responding.
///
/// A stopped holder (SIGSTOP) keeps its socket and files open, so a wait for its output would never end.
package struct HolderLimits: Sendable {
    /// How long a holder may send nothing before it is asked for its status.
    var silence: Duration
    /// How long it may take to answer, as it may be processing output on a busy machine.
    var answer: Duration

    package init(silence: Duration = .seconds(5), answer: Duration = .seconds(10)) {
        self.silence = silence
        self.answer = answer
    }
}
