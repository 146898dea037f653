/// A program's request to set the clipboard (OSC 52).
package struct ClipboardRequest: Hashable, Sendable {
    /// The letters of the selections, such as `c` and `p`.
    package var selections: String
    package var content: [UInt8]
}
