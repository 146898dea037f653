/// How a reader handles invalid lines.
package enum RecordingPolicy: Sendable {
    /// The first line that violates the format is an error.
    case strict
    /// An invalid line is skipped with a note; the time at its start still counts if it can be parsed.
    case lenient
}
