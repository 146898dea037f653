/// A version of asciicast that can be written.
package enum AsciicastVersion: String, CaseIterable, Sendable {
    case v3
    case v2
}
